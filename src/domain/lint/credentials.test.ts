import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { allFindings } from '#src/snapshot/all-findings.js'
import { testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { credentialFindings } from './credentials.js'

const secret = 'x'.repeat(43)
const written = [
  `sess_${secret}`,
  `apik_${secret}`,
  `-----BEGIN PRIVATE KEY-----`,
  `https://kto:${secret}@dom.example/`,
  `https://chat.example/api/webhooks/12/${secret}`,
  `https://dom.example/v1/api/api-keys/claim/${secret}`,
]
const innocent = ['https://karty.example/d/1?resourcekey=abcdef&usp=sharing', 'sess_ion', 'named_']

const findingsIn = (text: string) => credentialFindings(worldOf({ 'sesje/a.md': text }).files)

describe('credentials in ordinary lore', () => {
  for (const value of written)
    it(`are told by file and line, never by value: ${value.slice(0, 30)}`, () => {
      const [one, ...others] = findingsIn(`### 2026-05-10, Most, Brzoza\n\n- @Logi:\n    - ${value}\n`)
      deepEqual([one?.kind, one?.file, one?.line, others], ['CredentialInLore', 'sesje/a.md', 4, []])
      ok(!JSON.stringify(one).includes(secret))
    })

  for (const value of innocent)
    it(`are not: ${value}`, () => {
      deepEqual(findingsIn(`- @info: ${value}\n`), [])
    })

  it('are told a hundred times at most for one file', () => {
    equal(findingsIn(`${written[0] ?? ''}\n`.repeat(5_000)).length, 101)
  })

  it('are told by doctor and by the integrity rows, each of its own files', async () => {
    const world = worldOf({
      '.svc/format.json': '{"format": 2}',
      'encje/indeks.md': `### Ola\n- @typ: NPC\n- @info: ${written[0] ?? ''}\n`,
      'sesje/a.md': `### 2026-05-10, Most, Brzoza\n\n- @PU:\n    - ${written[0] ?? ''}: 1\n`,
      'Postaci/Gracze/Ola.md': `${written[0] ?? ''}\n`,
    })
    const kinds = allFindings(world).filter(one => one.kind === 'CredentialInLore')
    deepEqual(kinds.map(one => one.file).sort(), ['Postaci/Gracze/Ola.md', 'encje/indeks.md', 'sesje/a.md'])
    const front = await testFront({ snapshot: world })
    try {
      for (const [row, files] of [
        ['/entities/integrity', ['encje/indeks.md', 'Postaci/Gracze/Ola.md']],
        ['/sessions/integrity', ['sesje/a.md']],
        ['/contributors/integrity', []],
      ] as const) {
        const { text } = await front.client.ask(row)
        equal(text.split('CredentialInLore').length - 1, files.length, row)
        ok(files.every(file => text.includes(file)))
      }
    } finally {
      await front.close()
    }
  })
})
