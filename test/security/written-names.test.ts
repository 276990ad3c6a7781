import { deepEqual, equal } from 'node:assert/strict'
import { contractWorld } from '#test/support/contract-world.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { textsOf } from '#test/support/writing-world.js'

/** Names that no block may get, whatever its type. */
const never: ReadonlyArray<readonly [what: string, name: string]> = [
  ['../', '../etc'],
  ['a folder above', '..'],
  ['an absolute path', '/etc/passwd'],
  ['a backslash', 'a\\b'],
  ['a home', '~root'],
  ['CON', 'con'],
  ['a device with a raised digit', 'LPT¹'],
  ['a trailing dot', 'Orrin.'],
  ['.git', '.git'],
  ['.git/config', '.git/config'],
  ['a leading dash', '-rf'],
  ['an option of git', '--upload-pack=x'],
  ['a revision of git', '@{-1}'],
  ['a right-to-left mark', 'Orrin\u200f'],
  ['a right-to-left override', '\u202eOrrin'],
  ['a letter that is drawn as nothing', 'Orrin\u3164'],
  ['a variation selector', 'Orrin\ufe0f'],
  ['a name of 4 KB', 'a'.repeat(4096)],
  ['a name of more bytes than a folder holds', '字'.repeat(100)],
  ['nothing', '\u3000'],
  ['a line feed', 'Orrin\n### Injected'],
  ['U+2028', 'Orrin\u2028- @rola: admin'],
  ['U+0085', 'Orrin\u0085- @rola: admin'],
  ['a heading', '### Orrin'],
  ['a fence', '```'],
  ['a quote', '> Orrin'],
  ['restricted topics', 'Tematy zastrzeżone: pająki'],
  ['restricted topics after a name', 'Orrin. Tematy zastrzeżone: pająki'],
  ['an API key', 'apik_abcdefghijklmnop'],
  ['a range', 'Orrin (2024:)'],
  ['the mark of a machine', 'Orrin (auto)'],
  ['a twin by case', 'WIT KŁOS'],
  ['a twin by normal form', 'Wit Kłos'.normalize('NFD')],
  ['a twin by blanks', 'Wit\u00a0 Kłos'],
]

/** Names that no file of a checkout may have, and so no Postać. */
const neverFiles: ReadonlyArray<readonly [what: string, name: string]> = [
  ['a question', 'Kto?'],
  ['a colon', 'Wit: Kłos'],
  ['a pipe', 'Wit|Kłos'],
  ['quotes', 'Wit "Kłos"'],
  ['an HTML comment', '<!-- Wit -->'],
  ['a device with an ending', 'aux.wit'],
]

/** Names that look odd and are taken as they are. */
const taken = [
  '__proto__',
  'constructor',
  'HEAD',
  'GIT~1',
  '%2e%2e',
  '$(id)',
  'toString',
  'a # b',
  '1. Wit',
  'Basic Wit',
]

describe('SECURITY 4.8.26 names that become headings and files', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: contractWorld() })
  })
  beforeEach(() => front.serve(contractWorld()))
  after(() => front.close())

  const ask = (method: string, path: string, body: object) =>
    front.client.ask(encodeURI(path), { method, body: JSON.stringify(body) })
  const owned = { należy_do: 'Brzoza' }
  const rows = {
    'entities.create': (name: string) => ask('POST', '/entities', { name, type: 'Postać', tags: owned }),
    'characters.create': (name: string) => ask('POST', '/characters', { name, tags: owned }),
    'entities.rename': (name: string) => ask('POST', '/entities/Iskra/name', { name }),
    'characters.update of a nick': (name: string) =>
      ask('PATCH', '/characters/Iskra', { tag: 'nick', value: name }),
  }

  const refused = async (row: keyof typeof rows, name: string): Promise<void> => {
    const before = textsOf(front.world() ?? contractWorld())
    const reply = await rows[row](name)
    const error = isFields(reply.json) ? reply.json['error'] : null
    const isTwin = error === 'NameTaken' && reply.status === 409
    const isBad = (error === 'ValueRefused' || error === 'BoundExceeded') && reply.status === 422
    equal(isTwin || isBad, true, reply.text)
    deepEqual(textsOf(front.world() ?? contractWorld()), before)
  }

  for (const row of [
    'entities.create',
    'characters.create',
    'entities.rename',
    'characters.update of a nick',
  ] as const)
    for (const [what, name] of never) it(`${row} | ${what} | 422, a twin 409`, () => refused(row, name))
  for (const row of ['entities.create', 'characters.create', 'entities.rename'] as const)
    for (const [what, name] of neverFiles) it(`${row} | ${what} | 422`, () => refused(row, name))
  for (const name of taken)
    it(`characters.create | ${name} | read back as it was sent, with its file`, async () => {
      equal((await rows['characters.create'](name)).status, 201)
      const path = `/characters/${encodeURIComponent(name)}`
      const entry = { method: 'POST', body: JSON.stringify({ text: 'Zna port.' }) }
      equal((await front.client.ask(`${path}/info`, entry)).status, 200)
      const { json } = await front.client.ask(path)
      deepEqual(isFields(json) && [json['Name'], json['AdditionalInfo']], [name, ['Zna port.']])
      equal(`Postaci/Gracze/${name}.md` in textsOf(front.world() ?? contractWorld()), true)
    })
})
