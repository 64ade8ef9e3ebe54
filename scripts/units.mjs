// The units that a course author can embed, the manifest that lists them and their oEmbed answers.
//
// In: the lesson list (scripts/lessons.mjs), what `npm run thumbnails` measured (static/data/embedding.json), the site's address or
// none. Out: plain data. Titles, minutes and what a unit builds on are the lesson list's; nothing of them is written here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escape } from './html.mjs'
import { lessons } from './lessons.mjs'

export const VERSION = 1
export const THUMBNAIL = { width: 640, height: 360, type: 'image/webp' } // what scripts/thumbnails.mjs makes
const OEMBED_WIDTH = 768 // px; oEmbed must name one
const PROVIDER = 'Inference Lab'

/** Which units of the lesson list can stand alone in a frame: group and id -> the attributes of `<inference-lab>`, or null. */
const VIEWS = {
  whole: (id) => ({ lab: { view: 'lab' }, diagram: { view: 'diagram' } })[id] ?? null,
  blocks: (id) => ({ view: 'block', block: id.replace('block-', '') }),
  exercises: (id) => ({ view: 'exercise', exercise: id.replace('exercise-', '').toUpperCase() }),
}

/** -> [{ id, title: group's, units: [{ id, title, about, minutes, needs, attributes }] }] */
export function embeddable(root) {
  const groups = lessons(root).groups.filter(({ id }) => id in VIEWS)
  const full = groups.map(({ id, title, units }) => ({ id, title, units: units.map((one) => unit(one, VIEWS[id](one.id))).filter(Boolean) }))
  const ids = new Set(full.flatMap(({ units }) => units).map(({ id }) => id))
  for (const { id, needs } of full.flatMap(({ units }) => units)) {
    const lost = needs.filter((need) => !ids.has(need))
    if (lost.length) throw new Error(`${id} needs ${lost.join(', ')}, which nobody can embed`)
  }
  return full
}

const unit = ({ id, title, about, minutes, needs }, attributes) => attributes && { id, title, about: about.replaceAll('`', ''), minutes, needs, attributes }

/** The same, each unit with the `height` that was measured. */
export function unitGroups(root) {
  const { heights } = measurements(root)
  const measured = (one) => {
    if (!(one.id in heights)) throw new Error(`static/data/embedding.json has no height for ${one.id}: run npm run thumbnails`)
    return { ...one, height: heights[one.id] }
  }
  return embeddable(root).map((group) => ({ ...group, units: group.units.map(measured) }))
}

/**
 * Pixels that a view takes before a run in a narrow, a middle and a wide frame, in tens: of panels and exercises the middle of all. embed.js
 * keeps them free until a frame has said its own height.
 */
export function reservedHeights(root) {
  const { resting } = measurements(root)
  const units = embeddable(root).flatMap((group) => group.units)
  const middle = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
  const of = (view) => units.filter(({ attributes }) => attributes.view === view).map(({ id }) => resting[id])
  const views = ['lab', 'diagram', 'block', 'exercise']
  return Object.fromEntries(views.map((view) => [view, [0, 1, 2].map((i) => Math.ceil(middle(of(view).map((heights) => heights[i])) / 10) * 10)]))
}

const measurements = (root) => JSON.parse(readFileSync(join(root, 'static', 'data', 'embedding.json'), 'utf8'))

/** The manifest: every address in it is relative to the manifest itself. */
export function manifest(root, site = null) {
  const groups = unitGroups(root)
  return {
    $schema: 'lessons.schema.json',
    schema: 'inference-lab/lessons',
    version: VERSION,
    title: PROVIDER,
    language: 'vi',
    site,
    embed: { script: 'embed.js', element: 'inference-lab', builder: 'authors.html' },
    groups: groups.map(({ id, title, units }) => ({ id, title, units: units.map((one) => one.id) })),
    units: groups.flatMap((group) => group.units.map((one) => entry(one, group.id))),
  }
}

const entry = ({ id, title, about, minutes, needs, attributes, height }, group) => ({
  id, group, title, about, minutes, needs,
  url: addressOf(attributes),
  embed: { attributes, height },
  oembed: oembedPath(id),
  page: pagePath(id),
  thumbnail: { path: thumbnailPath(id), ...THUMBNAIL },
})

export const addressOf = (attributes) => `./?${new URLSearchParams(attributes)}`
export const oembedPath = (id) => `oembed/${id}.json`
export const pagePath = (id) => `oembed/${id}.html`
export const thumbnailPath = (id) => `thumbnails/${id}.webp`

/** A unit's oEmbed answer: absolute addresses when the site's is known, else relative to the file it stands in. */
export function oembed({ id, title, attributes, height }, site = null) {
  const at = (path) => (site ? new URL(path, site).href : `../${path.replace(/^\.\//, '')}`)
  const name = `${title} · ${PROVIDER}`
  return {
    version: '1.0',
    type: 'rich',
    title: name,
    provider_name: PROVIDER,
    provider_url: at('./'),
    html: `<iframe src="${escape(at(addressOf(attributes)))}" width="${OEMBED_WIDTH}" height="${height}" title="${escape(name)}" loading="lazy" allow="clipboard-write" frameborder="0"></iframe>`,
    width: OEMBED_WIDTH,
    height,
    thumbnail_url: at(thumbnailPath(id)),
    thumbnail_width: THUMBNAIL.width,
    thumbnail_height: THUMBNAIL.height,
  }
}

/**
 * The unit's address for readers that look for oEmbed in a page's head: the lab's own page has one head for all its views. Whoever
 * opens it is in the unit at once.
 */
export function page({ id, title, about, attributes }, site = null) {
  const name = escape(`${title} · ${PROVIDER}`)
  const unit = escape(`../${addressOf(attributes).slice(2)}`)
  const answer = escape(site ? new URL(oembedPath(id), site).href : `${id}.json`)
  return `<!doctype html>
<html lang="vi">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<meta name="description" content="${escape(about)}">
<link rel="alternate" type="application/json+oembed" href="${answer}" title="${name}">
<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=${unit}">
<p><a href="${unit}">${escape(title)}</a></p>
</html>
`
}

/** What the environment says of the site's address: absolute, ending in a slash; null when it says nothing. */
export function siteOf({ SITE_URL = '' } = process.env) {
  if (SITE_URL === '') return null
  const refuse = (remedy) => new Error(`SITE_URL = «${SITE_URL}»: the address of the folder that the site is served from is needed, http or https. ${remedy}`)
  if (!URL.canParse(SITE_URL)) throw refuse('Write it with its scheme, as https://example.org/lab/')
  const url = new URL(SITE_URL)
  if (!/^https?:$/.test(url.protocol)) throw refuse('Let it begin with https://')
  if (url.search || url.hash || url.username) throw refuse('Leave out ?, # and user names')
  return url.href.replace(/\/*$/, '/')
}

/** Files of the site's root that this module makes: name -> text. */
export function unitFiles(root, site = siteOf()) {
  const units = unitGroups(root).flatMap((group) => group.units)
  const json = (data) => `${JSON.stringify(data, null, 2)}\n`
  return new Map([['lessons.json', json(manifest(root, site))], ...units.flatMap((one) => [[oembedPath(one.id), json(oembed(one, site))], [pagePath(one.id), page(one, site)]])])
}
