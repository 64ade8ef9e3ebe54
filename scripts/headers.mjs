// The response headers that the lab needs, wherever it is served: one table for Vite's servers, for `_headers` of a build, and for tests.
//
// In: the path of an address, with its leading slash. Out: header names and values.

/** Any page may frame the lab and load its files: also one that is isolated, and one where the lab has no origin of its own. */
export const EVERYWHERE = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'X-Content-Type-Options': 'nosniff',
};

// No path matches two of these: some servers would send both values, joined.
const CACHE = [
  {
    // a hash of its contents is in each file's name or folder
    paths: ['/assets/*', '/vendor/*'],
    value: 'public, max-age=31536000, immutable',
  },
  {
    // names that others link to: asked for again each time, and answered 304 while nothing has changed
    paths: [
      '/', '/index.html', '/authors.html', '/lessons/*',
      '/embed.js', '/embed.d.ts', '/sw.js', '/sw-off.js', '/lessons.json', '/lessons.schema.json', '/oembed/*', '/thumbnails/*', '/docs/*',
    ],
    value: 'no-cache',
  },
];

/** All headers of a file of the build. */
export function headersOf(path) {
  const rule = CACHE.find(({ paths }) => paths.some((pattern) => matches(pattern, path)));
  return { ...EVERYWHERE, 'Cache-Control': rule?.value ?? 'no-cache' };
}

/** The same as Netlify, Cloudflare Pages and others read it. */
export function headersFile() {
  const everywhere = block('/*', EVERYWHERE);
  const cache = CACHE.flatMap(({ paths, value }) => paths.map((path) => block(path, { 'Cache-Control': value })));
  return `${[everywhere, ...cache].join('\n\n')}\n`;
}

const block = (path, headers) => [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

const matches = (pattern, path) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern);
