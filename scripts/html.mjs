// Text into HTML. Knows nothing of the page.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ESCAPES[sign])

/** Text with `code` in it. */
export const prose = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** "L2-7" as a reader sees it: "L2·7". */
export const labelOf = (id) => id.replace('-', '·')
