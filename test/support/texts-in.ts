import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { WorldTexts } from '#test/support/legacy/legacy-world.js'

/** A folder of legacy repositories beside the project; absent elsewhere. */
export const sharedLegacy = join(import.meta.dirname, '..', '..', '..', 'shared', 'legacy')

const under = (folder: string, path = ''): ReadonlyArray<string> =>
  readdirSync(join(folder, path)).flatMap(name => {
    const inner = path === '' ? name : `${path}/${name}`
    return statSync(join(folder, inner)).isDirectory() ? under(folder, inner) : [inner]
  })

/** The texts of a folder by path, null where there is no such folder. */
export const textsIn = (folder: string): WorldTexts | null =>
  existsSync(folder)
    ? Object.fromEntries(under(folder).map(path => [path, readFileSync(join(folder, path), 'utf8')]))
    : null
