import { bundleEntry } from '#test/support/bundle-entry.js'

/**
 * `npm run simulate`: `run.ts` as one bundle. The loader of TypeScript names each function that a module makes, when it
 * makes it, which costs a world of closures a quarter of its time.
 */
await import(bundleEntry(new URL('run.ts', import.meta.url), 'simulation').href)
