/** Names of the pages of the reference, without their extension. */
export const pageNames = ['routes', 'refusals', 'metrics', 'config', 'events', 'exit-codes'] as const
export type PageName = (typeof pageNames)[number]

/** Media types of the files of `docs/reference/html/`, which the operations listener serves below `/reference/`. */
export const referenceFiles: Readonly<Record<string, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'index.html': 'text/html; charset=utf-8',
  ...Object.fromEntries(pageNames.map(name => [`${name}.html`, 'text/html; charset=utf-8'])),
}
