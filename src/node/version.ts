import { readFileSync } from 'node:fs'

/** Above `src/node/` of the sources, and above `dist/src/`, where every file of a built program is. */
const packageFile = new URL('../../package.json', import.meta.url)

export const packageVersion = (): string => {
  const found: unknown = JSON.parse(readFileSync(packageFile, 'utf8'))
  const version: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : null
  if (typeof version === 'string') return version
  throw new Error('package.json of kronika names no version')
}
