// A script of the page that does not come: whatever would say so stands in that script.
//
// The build puts the text of this one function into the page's first lines (scripts/first-lines.mjs): it uses nothing from outside.

export function tellOfMissingScript(document) {
  const element = (id) => document.getElementById(id);

  function tell(file) {
    document.documentElement.dataset.lab = 'error';
    element('alert').textContent = `Không tải được tệp ${file}, hoặc một tệp mà nó cần. Hãy kiểm tra mạng rồi bấm «Thử lại».`;
    for (const id of ['run', 'stop', 'reset']) element(id).disabled = true;
    element('retry').hidden = false;
    element('retry').onclick = () => location.reload();
  }

  addEventListener('error', ({ target }) => {
    if (target.localName !== 'script') return;
    const file = new URL(target.src).pathname.split('/').at(-1);
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => tell(file));
    else tell(file);
  }, true);
}
