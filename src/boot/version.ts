import { existsSync, readFileSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

const Package = t.type({ name: t.literal('kronika'), version: t.string })

/** The version in package.json, which lies above `src/` and above `dist/src/`. */
export const packageVersion = (): string => {
  for (const up of ['../../package.json', '../../../package.json']) {
    const file = new URL(up, import.meta.url)
    if (!existsSync(file)) continue
    const found = Package.decode(JSON.parse(readFileSync(file, 'utf8')))
    if (!isLeft(found)) return found.right.version
  }
  throw new Error('package.json of kronika is not where it belongs')
}
