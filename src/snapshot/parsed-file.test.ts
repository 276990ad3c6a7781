import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { parseFile, parseFileInSlices } from './parsed-file.js'

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join('')

const sections = 6_400

describe('a large file as it is parsed', () => {
  for (const [what, path, text, leastRests] of [
    [
      'sessions',
      'sesje/a.md',
      many(sections, at => `### 2026-01-01, Sesja ${at}, Brzoza\n\nTekst.\n\n- @PU:\n    - Ola: 1\n`),
      sections / 64,
    ],
    [
      'blocks',
      'encje/a.md',
      many(sections, at => `### B${at}\n- @typ: NPC\n- @info: x\n`),
      (2 * sections) / 64,
    ],
    [
      'rows of one block',
      'encje/a.md',
      `### B\n- @typ: NPC\n${many(sections, at => `- @grupa: G${at} (2026:)\n`)}`,
      sections / 64,
    ],
    ['lines of prose', 'notatki.md', many(100_000, at => `wiersz ${at}\n`), 24],
    ['a character file', 'Postaci/Gracze/Ola.md', many(100_000, at => `- wiersz ${at}\n`), 24],
  ] as const)
    it(`lets the loop turn between its ${what}, and comes out the same`, () => {
      const file = sourceFile(path, text)
      const work = parseFileInSlices(file)
      let rests = 0
      let slice = work.next()
      for (; slice.done !== true; slice = work.next()) rests += 1
      ok(rests >= leastRests, `${rests} rests`)
      deepEqual(slice.value, parseFile(file))
    })
})
