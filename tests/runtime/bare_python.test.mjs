// What the page gets of the view's Python: the same program in fewer letters, each line where it was.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { barePython } from '../../scripts/bare-python.mjs';
import { setUp } from '../../scripts/setup.mjs';

before(() => setUp({ only: ['python'], quiet: true }));

test('docstrings and comments go, lines and texts stay', () => {
  const source = `"""What this is for.

Three lines.
"""

SIGN = "#1"  # a number
# a remark, in Vietnamese: chú thích


class Place:
    """Said
    twice."""

    def empty(self):
        '''Nothing yet.'''

    def text(self):
        """One line."""
        return """# no comment
        """  # said
`;
  const expected = `pass




SIGN = "#1"



class Place:
    pass


    def empty(self):
        pass

    def text(self):
        pass
        return """# no comment
        """
`;
  assert.deepEqual(barePython([source, 'a = 1\n']), [expected, 'a = 1\n']);
});
