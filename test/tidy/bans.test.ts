import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { documents, isTest, type Source, sources } from './sources.js'

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
  readonly in: (path: string) => boolean
}

const effects = /^src\/(adapters|node|cli|http|kernel|demo\/writer|main\.ts)/
const isProduct = (path: string): boolean => !isTest(path)
const isPure = (path: string): boolean =>
  isProduct(path) && /^(src|actors|supervisors)\//.test(path) && !effects.test(path)

const bans: ReadonlyArray<Ban> = [
  { pattern: /\bexport default\b/, instead: 'a named export', in: path => path.endsWith('.ts') },
  { pattern: /\bexport \*/, instead: 'an import of the file that defines the name', in: () => true },
  { pattern: /(: any\b|<any>|\bas any\b|any\[\])/, instead: 'a type', in: () => true },
  {
    pattern: /@ts-(ignore|nocheck)|eslint-disable|biome-ignore/,
    instead: 'code that passes',
    in: () => true,
  },
  { pattern: /\b(TODO|FIXME|XXX|HACK)\b/, instead: 'the work, or an issue', in: () => true },
  {
    pattern: /\bas (?!const\b)[A-Z]\w*/,
    instead: 'a codec or a guard',
    in: path => isProduct(path) && path !== 'protocol/atoms.ts' && !path.startsWith('src/kernel/'),
  },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/,
    instead: 'time and chance handed in',
    in: isPure,
  },
  { pattern: /\bsetInterval\(/, instead: 'an `after` effect of the kernel', in: isProduct },
  {
    pattern: /\bprocess\.(env|exit|argv)\b/,
    instead: 'an argument from boot',
    in: path => isPure(path) || /^src\/http/.test(path),
  },
  {
    pattern: /(?<!this)\.(skip|only)\(/,
    instead: 'this.skip() with a printed note',
    in: path => /\.(?:test|long)\.ts$/.test(path) && path !== 'test/tidy/bans.test.ts',
  },
  {
    pattern: /\bRegExp\(/,
    instead: 'a literal, which test/security/patterns.test.ts sees',
    in: isProduct,
  },
  { pattern: /\bcatch \{ *\}/, instead: 'what is done about it', in: isProduct },
]

/** Code without the text of its strings: a ban is on code. */
const code = (line: string): string => line.replace(/'[^']*'/g, "''").replace(/`[^`]*`/g, '``')

const hits = (ban: Ban, { path, text }: Source): ReadonlyArray<string> =>
  ban.in(path) && path !== 'test/tidy/bans.test.ts'
    ? text
        .split('\n')
        .flatMap((line, at) =>
          !/^\s*(\*|\/\*|\/\/|import |} from )/.test(line) && ban.pattern.test(code(line))
            ? [`${path}:${at + 1}`]
            : [],
        )
    : []

const words = /\b(robust|seamless|comprehensive|leverage|cutting-edge|blazing|powerful)\b/i

describe('bans', () => {
  for (const ban of bans) {
    it(`ask for ${ban.instead} in place of ${ban.pattern.source}`, () => {
      deepEqual(
        sources.flatMap(source => hits(ban, source)),
        [],
      )
    })
  }

  it('keep words that praise out of the documents', () => {
    deepEqual(
      documents.flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, at) => (words.test(line) ? [`${path}:${at + 1}`] : [])),
      ),
      [],
    )
  })
})
