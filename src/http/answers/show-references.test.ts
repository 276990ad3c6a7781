import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const people = [
  '## Gracz',
  '### Solmyr',
  '- @gameid: 1',
  '- @tematy_zastrzezone: utonięcie',
  '- @info: boi się słowa utonięcie',
].join('\n')
const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `${people}\n`,
  'encje/indeks.md': [
    '### Wit Kłos\n- @typ: Postać\n- @należy_do: Solmyr',
    '### utonięcie\n- @typ: Przedmiot',
    '### Osada\n- @typ: Lokacja\n- @info: tu było utonięcie\n',
  ].join('\n'),
  'Postaci/Gracze/Wit Kłos.md': '# Wit Kłos\n\n**Dodatkowe informacje:**\n\n- Ma dług wobec Orrina\n',
  'sesje/2026.md': '## 2026-05-01, Próba, Solmyr\n\nTego dnia utonięcie w rzece.\n',
})

describe('what an answer to a write tells of the lines that it leaves', () => {
  let front: TestFront
  before(async () => {
    const callers = {
      writer: callerWith(['entity.write']),
      reader: callerWith(['entity.write', 'entity.read']),
      narrator: callerWith(['entity.write', 'entity.read', 'session.read', 'player.restricted.read']),
      people: callerWith(['player.write']),
      both: callerWith(['player.write', 'player.read']),
    }
    front = await testFront({ snapshot: world, callers })
  })
  after(() => front.close())

  const renamed = async (token: string) => {
    const reply = await front.client.ask(
      `/entities/${encodeURIComponent('utonięcie')}/name?type=Przedmiot&dryRun=true`,
      {
        method: 'POST',
        body: JSON.stringify({ name: 'Topiel' }),
        headers: { authorization: `Bearer ${token}` },
      },
    )
    equal(reply.status, 200, reply.text)
    return jsonField(reply.json, 'reported')
  }
  const lore = { file: 'encje/indeks.md', tag: null, lines: [8] }
  const open = { file: 'kontrybutorzy.md', tag: null, lines: [5] }
  const session = { file: 'sesje/2026.md', tag: null, lines: [3] }

  it('names no file to who may read none', async () => deepEqual(await renamed('writer'), []))

  it('names no line of a restricted topic and no session to who may read neither', async () =>
    deepEqual(await renamed('reader'), [lore, open]))

  it('names them to who may', async () =>
    deepEqual(await renamed('narrator'), [
      { ...open, tag: 'tematy_zastrzezone', lines: [4] },
      lore,
      open,
      session,
    ]))

  it('shows the entries of a Postać to readers of players alone', async () => {
    const stale = async (token: string) => {
      const reply = await front.client.ask(`/characters/${encodeURIComponent('Wit Kłos')}/info`, {
        method: 'PUT',
        body: JSON.stringify({ match: 'nie ma', text: 'y' }),
        headers: { authorization: `Bearer ${token}` },
      })
      equal(reply.status, 409, reply.text)
      return jsonField(reply.json, 'current')
    }
    deepEqual(await stale('people'), [])
    deepEqual(await stale('both'), ['Ma dług wobec Orrina'])
  })
})
