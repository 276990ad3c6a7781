import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Reply } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { type OwnScopeHost, ownScopeFront } from './own-scope-host.js'
import { hers, twoPlayers } from './own-scope-world.js'

/** Forms of the names of Łucja’s Postać and of her own, in other cases and without diacritics. */
const characterForms = [
  'Żbika',
  'Żbikowi',
  'Żbikiem',
  'Żbiku',
  'żbika',
  'Zbika',
  'Rysieka',
  'Ryśka',
  'Ryskiem',
]
const personForms = ['Łucji', 'Łucję', 'Łucją', 'Łucjo', 'łucji', 'Lucji', 'Lusi', 'Lusię']

type Sends = readonly [method: string, path: string, body?: object]

const stan = { tag: 'stan', value: 'Ranny.' }

const ofCharacter = (form: string): ReadonlyArray<Sends> => [
  ['PATCH', `/characters/${form}`, stan],
  ['PATCH', `/characters/${form}?dryRun=true`, stan],
  ['PATCH', `/characters/${form}`, { tag: 'należy_do', value: 'Odo' }],
  ['DELETE', `/characters/${form}`],
  ['POST', `/characters/${form}/info`, { text: 'Boi się.' }],
  ['PUT', `/characters/${form}/info`, { match: 'Ma bliznę.', text: 'X' }],
  ['DELETE', `/characters/${form}/info`, { match: 'Ma bliznę.' }],
  ['GET', `/pu/timeline?character=${form}`],
]

const ofPerson = (form: string): ReadonlyArray<Sends> => [
  ['PATCH', `/people/${form}`, { tag: 'alias', value: 'X' }],
  ['GET', `/pu/new-character-count?player=${form}`],
  ['POST', '/api-keys', { gameId: form }],
  ['POST', '/characters', { name: 'Nowa', tags: { należy_do: form } }],
]

/** Lists that an own-only caller may read: a filter by her name finds nothing of hers. */
const lists = (form: string): ReadonlyArray<Sends> => [
  ['GET', `/elections/eligibility?player=${form}&limit=100&offset=0`],
  ['GET', `/pu/timeline?player=${form}`],
]

describe('SECURITY 4.4 own scope by inflected form', () => {
  let host: OwnScopeHost
  before(async () => {
    host = await ownScopeFront()
  })
  after(() => host.close())
  afterEach(() => {
    host.isUnwritten()
    host.restore()
  })

  const ask = (token: string, [method, path, body]: Sends): Promise<Reply> =>
    host.client.ask(encodeURI(path), {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const telling = (text: string, asked: string): ReadonlyArray<string> =>
    hers.filter(word => text.replaceAll(asked, '').includes(word))

  it('tries forms that do resolve to what is hers', () => {
    const { names } = twoPlayers()
    const headings = (forms: ReadonlyArray<string>) =>
      new Set(forms.map(form => resolveName(names, form, { upTo: 'alternation' }).entity?.name))
    ok(headings(characterForms).has('Żbik'))
    ok(headings(personForms).has('Łucja'))
    const known = [...characterForms, ...personForms].filter(
      form => resolveName(names, form, { upTo: 'alternation' }).entity !== null,
    )
    ok(known.length >= 12, known.join())
  })

  for (const [forms, sendsOf] of [
    [characterForms, ofCharacter],
    [personForms, ofPerson],
  ] as const)
    for (const form of forms)
      it(`${form} opens nothing of hers, and changes nothing`, async () => {
        for (const sends of sendsOf(form))
          for (const token of [host.token.odo, host.token.stray]) {
            const { status, json, text } = await ask(token, sends)
            equal(status, 403, `${sends[0]} ${sends[1]}: ${text}`)
            deepEqual([isFields(json) ? json.error : null, telling(text, form)], ['Forbidden', []], text)
          }
      })

  for (const form of personForms)
    it(`${form} finds nothing of hers in a list`, async () => {
      for (const sends of lists(form)) {
        const { status, text } = await ask(host.token.odo, sends)
        ok(status === 200 || status === 403, text)
        deepEqual(telling(text, form), [], text)
      }
    })

  it('gives no form of hers to a Postać of another', async () => {
    for (const form of ['Żbika', 'Żbikowi', 'Zbikiem', 'Łucji', 'Lusi'])
      for (const sends of [
        ['POST', '/characters', { name: form, tags: { należy_do: 'Odo' } }],
        ['POST', '/characters', { name: 'Nowa', tags: { należy_do: 'Odo', alias: form } }],
        ['PATCH', '/characters/Wilk', { tag: 'alias', value: form }],
        ['PATCH', '/characters/Wilk?dryRun=true', { tag: 'alias', value: form }],
      ] as const) {
        const { status, json, text } = await ask(host.token.odo, sends)
        deepEqual(
          [status, isFields(json) ? json.error : null],
          [409, 'NameTaken'],
          `${sends[1]} ${form} ${text}`,
        )
      }
  })
})
