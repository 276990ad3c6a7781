import { deepEqual, equal } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { peopleWorld } from '#test/support/people-world.js'

const writes: ReadonlyArray<readonly [method: string, path: string, tag: string | null]> = [
  ['POST', '/people', '@alias'],
  ['PATCH', '/people/Sol', '@alias'],
  ['DELETE', '/people/solmyr', null],
  ['PUT', '/people/Solmyr/chat-channel', '@chat'],
]

const body = JSON.stringify({ name: 'Solmyr', tag: '@alias', value: 'Sol Wielki' })

describe('writes of people', () => {
  let front: TestFront
  before(async () => {
    const own = (gracz: string) => callerWith(['player.write.own'], gracz)
    const callers = {
      writer: callerWith(['player.write']),
      solmyr: own('Solmyr'),
      iskra: own('Żaneta'),
      nobody: callerWith(['player.write.own']),
    }
    front = await testFront({ snapshot: peopleWorld(), callers })
  })
  after(() => front.close())

  const ask = (method: string, path: string, token: string) =>
    front.client.ask(path, { method, token, ...(method === 'DELETE' ? {} : { body }) })

  for (const [method, path, tag] of writes) {
    it(`${method} ${path} is 422 and names person, tag and file, dry or not`, async () => {
      for (const token of ['writer', 'solmyr'])
        for (const query of ['', '?dryRun=true']) {
          const { status, json } = await ask(method, path + query, token)
          equal(status, 422)
          deepEqual(json, {
            error: 'RosterStoreProperty',
            detail: 'No route changes people. Edit kontrybutorzy.md and commit the change.',
            entity: 'Solmyr',
            tag,
            file: 'kontrybutorzy.md',
          })
        }
    })

    it(`${method} ${path} is 403 before that for whom the person is not`, async () => {
      for (const token of ['iskra', 'nobody']) {
        const { status, text } = await ask(method, path, token)
        equal(status, 403, text)
        equal(text.includes('"required":"player.write"'), true, text)
      }
    })
  }

  it('names a person whom the store does not have as the request does, and takes any body', async () => {
    const reply = await front.client.ask('/people/Nikt', {
      method: 'PATCH',
      token: 'writer',
      body: '{"tag": 7}',
    })
    equal(reply.status, 422)
    equal(reply.text.includes('"entity":"Nikt","tag":null'), true, reply.text)
    equal((await front.client.ask('/people', { method: 'POST', token: 'writer', body: '{}' })).status, 422)
  })
})
