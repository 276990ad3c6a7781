import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { rosterOf } from '#src/domain/people/roster.js'
import { worldOf } from '#test/support/world.js'
import { identitiesOf } from './callers.js'
import { callerByApiKey } from './credentials/api-keys.js'
import { tokenHash } from './credentials/tokens.js'

const token = `apik_${'a'.repeat(43)}`
const key = `- @klucz_api: sha256:${tokenHash(token).toString('hex')}`

interface Rights {
  /** Whose the key is. */
  readonly key: string | null
  /** The people with an id of their own, and their roles. */
  readonly people: ReadonlyArray<string>
  readonly findings: ReadonlyArray<string>
}

const rightsOf = (store: string): Rights => {
  const world = worldOf({ 'kontrybutorzy.md': store }, { day: '2026-06-15' })
  return {
    key: callerByApiKey(token, world)?.gracz ?? null,
    people: rosterOf(world.people, world.day).listed.map(({ person, roles }) =>
      [person.name, ...roles.map(role => role.name)].join(' '),
    ),
    findings: [...new Set(world.people.findings.map(({ kind, line }) => `${kind} ${line}`))],
  }
}

const brzoza = '## Gracz\n### Brzoza\n- @gameid: 100\n- @chat: BRAK\n'

/** What a store says below the block of Brzoza, and the findings. It gives her no role and no key. */
const closed: ReadonlyArray<readonly [what: string, more: string, findings: ReadonlyArray<string>]> = [
  ['a comment', `<!--\n- @rola: Radny\n${key}\n-->\n`, ['HiddenText 5']],
  ['a comment that is never closed', `<!--\n- @rola: Radny\n${key}\n`, ['UnclosedComment 5']],
  ['a comment of one line', `<!-- - @rola: Radny -->\n<!-- ${key} -->\n`, ['HiddenText 5', 'HiddenText 6']],
  ['a comment with a comment inside', `<!--\n<!-- a -->\n- @rola: Radny\n${key}\n-->\n`, ['HiddenText 5']],
  ['a comment that a value begins', `- @alias: B <!--\n- @rola: Radny\n${key}\n-->\n`, ['HiddenText 5']],
  ['a comment for a value', '- @rola: <!-- Radny -->\n', ['HiddenText 5']],
  ['a fence', `\`\`\`\n- @rola: Radny\n${key}\n\`\`\`\n`, ['HiddenText 5']],
  [
    'a fence of tildes',
    `~~~ wzór\n### Wzor\n- @gameid: 999\n- @rola: Radny\n${key}\n~~~\n`,
    ['HiddenText 5'],
  ],
  ['a fence that is never closed', `~~~\n- @rola: Radny\n${key}\n\`\`\`\n`, ['UnclosedFence 5']],
  ['a longer fence', `\`\`\`\`\n\`\`\`\n- @rola: Radny\n${key}\n\`\`\`\`\n`, ['HiddenText 5']],
  ['a fence in an item', `- ~~~\n- @rola: Radny\n${key}\n  ~~~\n`, ['HiddenText 5']],
  [
    'a conflict',
    `<<<<<<< HEAD\n- @rola: Radny\n=======\n${key}\n>>>>>>> x\n`,
    ['ConflictMarker 5', 'ConflictMarker 7', 'ConflictMarker 9'],
  ],
  [
    'a conflict with its base',
    `<<<<<<< HEAD\n||||||| base\n- @rola: Radny\n${key}\n=======\n>>>>>>> x\n`,
    ['ConflictMarker 5', 'ConflictMarker 6', 'ConflictMarker 9', 'ConflictMarker 10'],
  ],
  [
    'a conflict without an end',
    `<<<<<<< HEAD\n- @rola: Radny\n${key}\n`,
    ['ConflictMarker 5', 'UnclosedConflict 5'],
  ],
  ['a role until a day that is none', '- @rola: Radny (2022:2023-06-31)\n', ['SuspectRange 5']],
  ['a role from a day that is none', '- @rola: Radny (2022-02-29:)\n', ['SuspectRange 5']],
  ['a role until a month that is none', '- @rola: Radny (:2027-13)\n', ['SuspectRange 5']],
  ['a key until a day that is none', `${key} (2022:2023-02-29)\n`, ['SuspectRange 5']],
  ['a key from a day that is none', `${key} (2022-00:)\n`, ['SuspectRange 5']],
  ['a role under a heading without a name', '###\n- @rola: Radny\n', ['EmptyHeading 5']],
]

describe('what is not read in the contributor store', () => {
  for (const [what, more, findings] of closed)
    it(`gives nothing: ${what}`, () => {
      deepEqual(rightsOf(brzoza + more), { key: null, people: ['Brzoza'], findings })
    })

  it('gives no person: a comment, a fence, a conflict and an id of days that are none', () => {
    const person = '### Cis\n- @gameid: 200\n- @chat: BRAK\n- @rola: Radny\n'
    for (const store of [
      `${brzoza}<!--\n${person}-->\n`,
      `${brzoza}~~~\n${person}~~~\n`,
      `${brzoza}<<<<<<< a\n${person}=======\n>>>>>>> b\n`,
      `${brzoza}${person.replace('200', '200 (2020:2023-06-31)')}`,
      `<!-- ## Gracz\n${person}-->\n${brzoza}`,
    ])
      deepEqual([rightsOf(store).people, rightsOf(store).findings.length > 0], [['Brzoza'], true], store)
  })

  const headings = ['#### Cis', '    ### Cis', '- ### Cis', '> ### Cis', '＃＃＃ Cis', '**Cis**', 'Cis\n---']
  for (const heading of headings)
    it(`gives nobody what stands below a heading that is none: ${JSON.stringify(heading)}`, () => {
      const rights = rightsOf(`${brzoza}${heading}\n- @rola: Radny\n${key}\n`)
      deepEqual([rights.key, rights.people], [null, ['Brzoza']])
      const role = '## Role\n### Radny\n- @chat_rola: Rada\n'
      const { people } = worldOf({ 'kontrybutorzy.md': `${role}Uwaga.\n${heading}\n- @chat_rola: Gracze\n` })
      deepEqual(
        people.roles.map(one => one.chatRoles),
        [['Rada']],
      )
    })

  it('gives nobody what stands below an item', () => {
    const rights = rightsOf(`${brzoza}- Cis:\n    - @rola: Radny\n    ${key}\n`)
    deepEqual([rights.key, rights.people], [null, ['Brzoza']])
  })

  it('gives nobody a row that is written wrongly', () => {
    for (const mark of ['–', '•', '1)', '**', '>', '|', '[x]', '- [ ]', '- **', '- \\', '- -'])
      deepEqual(rightsOf(`${brzoza}${mark} @rola: Radny\n${mark} ${key.slice(2)}\n`), {
        key: null,
        people: ['Brzoza'],
        findings: [],
      })
  })

  it('gives no grant of a day that is none', () => {
    const heldSince = (since: string): boolean | undefined => {
      const grants = [{ gameId: '100', capability: 'pu.award', since, by: 'Cis' }]
      const files = { 'kontrybutorzy.md': brzoza, '.svc/grants.json': JSON.stringify({ grants }) }
      return identitiesOf(worldOf(files, { day: '2026-06-15' }))
        .byGameId('100')
        ?.holds.has('pu.award')
    }
    deepEqual(['2026-02-28T00:00:00Z', '2026-02-28T00:00:00.5Z', '2026-02-30T00:00:00Z'].map(heldSince), [
      true,
      true,
      false,
    ])
  })

  it('leaves the id of such a row to nobody else', () => {
    const twice = `${brzoza}### Cis\n- @gameid: 100 (2020:2023-06-31)\n- @chat: BRAK\n`
    deepEqual(rightsOf(twice).people, [])
  })

  it('makes nobody active again, and lets nobody be named', () => {
    const world = worldOf(
      {
        'kontrybutorzy.md': `${brzoza}- @status: Usunięty (2023:)\n- @status: Aktywny (2024:2024-06-31)\n- @alias: Bis (2022:2023-06-31)\n`,
      },
      { day: '2026-06-15' },
    )
    equal(rosterOf(world.people, world.day).all[0]?.status, 'Usunięty')
    equal(world.people.byAlias.size, 0)
  })

  it('is read where it shows: around a comment, after a fence, with lone CRs, behind signs that do not show', () => {
    const rows = `- @rola: Radny\n${key}\n`
    for (const store of [
      `${brzoza}<!-- uwaga -->\n${rows}`,
      `${brzoza}~~~\nwzór\n~~~\n${rows}`,
      `${brzoza}- @rola: Radny <!-- od dawna -->\n${key} <!-- telefon -->\n`,
      (brzoza + rows).replaceAll('\n', '\r'),
      (brzoza + rows).replaceAll('\n', '\n\u200b'),
      (brzoza + rows).replaceAll(/^#/gmu, ' #'),
      `${brzoza.replace('### Brzoza', '### Brzoza ### <!-- B -->')}${rows}`,
    ])
      deepEqual([rightsOf(store).key, rightsOf(store).people], ['Brzoza', ['Brzoza Radny']], store)
    const world = worldOf({ 'kontrybutorzy.md': brzoza + rows }, { day: '2026-06-15' })
    ok(identitiesOf(world).byGameId('100')?.holds.has('pu.award'))
  })
})
