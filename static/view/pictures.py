"""The panels' pictures: tells src/pictures/index.js of results, of panels that got a new body, and of panels that open.

In: what `Page.parts` hear. Out: calls of that module, which is loaded when the first panel with a result is open.
The module asks the engine for the data itself: only keys and constants pass through here.
"""

import json

import js

import dom


class Pictures:
    def __init__(self):
        self.module = None  # once loaded
        self.loading = False
        self.result = None  # (key, constants as JSON text)
        js.document.addEventListener("toggle", self.toggled, True)  # toggle does not bubble

    def shown(self, result):
        self.result = (result["key"], json.dumps(result["constants"]))
        if self.module:
            self.module.shown(*self.result)
        elif any(dom.is_open(block) for block in range(1, 14)):
            self.load()

    def cleared(self):
        self.result = None
        if self.module:
            self.module.cleared()

    def filled(self, block):
        if self.module:
            self.module.filled(block)

    def toggled(self, event):
        if event.target.classList.contains("panel") and event.target.open and self.result:
            if self.module:
                self.module.opened()
            else:
                self.load()

    def load(self):
        if not self.loading:
            self.loading = True
            js.inferenceLab.load("pictures").then(self.loaded, self.failed)

    def loaded(self, module):
        self.module = module
        if self.result:
            module.shown(*self.result)

    def failed(self, _):
        self.loading = False  # the next panel that opens tries again
