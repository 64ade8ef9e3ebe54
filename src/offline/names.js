// Which names of a deployment hold the hash of their contents: a file of that name is the same in every deployment.
// Shared by the build, the service worker and the tests. Paths are relative to the deployment's folder.

const HASHED = /^(assets\/[^/]+-[\w-]{8,}\.\w+|vendor\/[a-z]+-[0-9a-f]{10}\/[^/]+)$/;

export const isHashed = (path) => HASHED.test(path);

/** The one cache of a deployment's folder, by its address. Two labs on one host have two. */
export const cacheOf = (folder) => `inference-lab ${folder}`;
