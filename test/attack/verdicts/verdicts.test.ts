import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { bars, reasonToGiveUp } from '../bars.js'
import { callerNamed } from '../callers/caller.js'
import { aim, baseWorld, ownCharacter } from '../worlds/base.js'
import { answerViolations } from './answer.js'
import { costViolations, growthViolations, healthViolations, heapViolations } from './cost.js'
import { blamedMisses, crowdViolations, roleViolations, waitViolations, watchViolations } from './fleet.js'
import type { Lore } from './lore.js'
import { projectionViolations } from './projection.js'
import { violationsOfLoss, violationsOfUnasked } from './repository.js'
import { rightViolations } from './rights.js'

const day = '2026-06-15'
const world = baseWorld('próba')
const index = 'encje/indeks-90.md'
const own = ownCharacter('Napastnik')

const isOver = (ms: number, bar: number): boolean => ms > bar

/** The world with one file changed. */
const withFile = (path: string, change: (text: string) => string): Lore =>
  new Map([...world.files, [path, change(world.files.get(path) ?? '')]])

/** Rows put at the end of a block. */
const withRows = (heading: string, ...rows: ReadonlyArray<string>): Lore =>
  withFile(index, text =>
    text.replace(`### ${heading}\n`, `### ${heading}\n${rows.map(row => `- @${row}\n`).join('')}`),
  )

const withBlock = (heading: string, ...rows: ReadonlyArray<string>): Lore =>
  withFile(index, text => `${text}\n### ${heading}\n${rows.map(row => `- @${row}\n`).join('')}`)

const judge = (caller: string, after: Lore): ReadonlyArray<string> =>
  rightViolations(callerNamed(caller).allowance, world.files, after, day)

const finds = (caller: string, after: Lore, what: RegExp): void => {
  const found = judge(caller, after)
  ok(
    found.some(one => what.test(one)),
    `${String(what)} in ${JSON.stringify(found)}`,
  )
}

describe('the verdict on rights', () => {
  it('finds nothing where nothing changed', () => {
    for (const caller of ['gracz', 'narrator', 'anonymous', 'token of session.write'])
      deepEqual(judge(caller, world.files), [])
  })

  it('lets a player write listed tags of an own Postać, and make one', () => {
    deepEqual(
      judge('gracz', withRows(own, 'stan: Ranny (2026-06-15:)', 'info: Wpis', 'alias: Nowe Miano')),
      [],
    )
    deepEqual(judge('gracz', withBlock('Nowa Postać', 'typ: Postać', 'należy_do: Napastnik')), [])
    deepEqual(
      judge(
        'gracz',
        withFile(`Postaci/Gracze/${own}.md`, () => 'karta'),
      ),
      [],
    )
    deepEqual(
      judge(
        'gracz',
        withFile('zgłoszenia/2026-06-15-a.md', () => 'relacja'),
      ),
      [],
    )
  })

  it('finds tags that a player may not write, and dates in the past', () => {
    finds('gracz', withRows(own, `grupa: ${aim.group}`), /wrote @grupa/u)
    finds('gracz', withRows(own, 'pu_suma: 99'), /wrote @pu_suma/u)
    finds('gracz', withRows(own, 'stan: Ranny (2026-06:)', 'stan: Zdrów (2026-05-01:)'), /in the past/u)
  })

  it('finds what is of another', () => {
    finds('gracz', withRows(aim.character, 'info: Cudze'), /not theirs/u)
    finds('gracz', withBlock('Cudza', 'typ: Postać', `należy_do: ${aim.victim}`), /of somebody else/u)
    finds('gracz', withBlock('Obcy', 'typ: NPC', 'należy_do: Napastnik'), /made NPC/u)
    finds(
      'gracz',
      withFile(`Postaci/Gracze/${aim.character}.md`, () => 'x'),
      /changed Postaci/u,
    )
    finds(
      'gracz',
      withFile(index, text => text.replace(/### Bractwo Zatoki\n(?:- .*\n)+/u, '')),
      /took away/u,
    )
  })

  it('finds names that the lore uses', () => {
    for (const name of [aim.npc, aim.sharedAlias, aim.victim, 'bajarka', aim.unwritten, aim.place]) {
      finds('gracz', withBlock(name, 'typ: Postać', 'należy_do: Napastnik'), /which the lore uses/u)
      finds('gracz', withRows(own, `alias: ${name}`), /which the lore uses/u)
    }
  })

  it('finds more Postacie and bytes than a player may have', () => {
    const more = Array.from(
      { length: 20 },
      (_, at) => `\n### P${at}\n- @typ: Postać\n- @należy_do: Napastnik\n`,
    )
    finds(
      'gracz',
      withFile(index, text => text + more.join('')),
      /has 21 Postacie/u,
    )
    finds('gracz', withRows(own, `info: ${'x'.repeat(300_000)}`), /bytes of lore/u)
  })

  it('finds effects of a closed session that changed, in place and in a copy', () => {
    const session = 'sesje/zatoka.md'
    finds(
      'narrator',
      withFile(session, text => text.replace('7 Talary', '70 Talary')),
      /closed session/u,
    )
    const copy = `### ${aim.closed}\n\n- @Transfer: 400 Talary, A -> B\n`
    finds(
      'narrator',
      withFile('sesje/kopia.md', () => copy),
      /closed session/u,
    )
    deepEqual(
      judge(
        'narrator',
        withFile(session, text => text.replace('Ofelia wypłynęła.', 'Inaczej.')),
      ),
      [],
    )
    deepEqual(
      judge(
        'narrator',
        withFile(session, text => text.replace('5 Talary', '50 Talary')),
      ),
      [],
    )
  })

  it('finds files that only some or nobody may change', () => {
    for (const path of ['kontrybutorzy.md', '.svc/roles.json', '.svc/grants.json', '.svc/config.json']) {
      finds(
        'narrator',
        withFile(path, text => `${text} `),
        /^changed/u,
      )
      finds(
        'gracz',
        withFile(path, text => `${text} `),
        /^changed/u,
      )
    }
    finds(
      'gracz',
      withFile('sesje/zatoka.md', text => `${text}\nwięcej`),
      /changed sesje/u,
    )
    finds('token of session.write', withRows(own, 'info: Wpis'), /changed Postać/u)
    finds('narrator', withRows(own, 'pu_suma: 99'), /wrote @pu_suma/u)
  })

  it('lets a bot add a key of its own and no other', () => {
    const key = (person: string): Lore =>
      withFile('kontrybutorzy.md', text =>
        text.replace(`### ${person}\n`, `### ${person}\n- @klucz_api: sha256:${'ab'.repeat(32)}\n`),
      )
    deepEqual(judge('bot', key('Automat')), [])
    finds('bot', key(aim.victim), /changed kontrybutorzy/u)
    finds('gracz', key('Napastnik'), /changed kontrybutorzy/u)
  })
})

describe('the verdict on answers', () => {
  const limits = { canaries: [{ what: 'a topic', text: 'kanarek1', restricted: true }] }
  const answer = (status: number, text: string) => answerViolations({ status, text, isJson: true }, limits)

  it('finds canaries, faults, open refusals and the inside', () => {
    deepEqual(answer(200, '{"a": 1}'), [])
    deepEqual(answer(403, '{"error": "Forbidden", "detail": "no"}'), [])
    match(answer(200, '{"a": "kanarek1"}').join(), /shows a topic/u)
    match(answer(500, '{"error": "Internal", "detail": "x"}').join(), /a fault/u)
    match(answer(404, 'Not found').join(), /without error and detail/u)
    match(answer(400, '{"error": "x", "detail": "file:///srv/a.js"}').join(), /the inside/u)
  })

  it('finds a success of what is forbidden', () => {
    const forbidden = { canaries: [], forbidden: 'the session is closed' }
    equal(answerViolations({ status: 200, text: '{}', isJson: true }, forbidden).length, 1)
    const refusal = { status: 409, text: '{"error": "a", "detail": "b"}', isJson: true }
    deepEqual(answerViolations(refusal, forbidden), [])
  })
})

describe('the verdict on cost', () => {
  it('finds dear requests, long turns and memory that stays', () => {
    deepEqual(costViolations('GET', { cpuMs: bars.readMs, turnMs: bars.turnMs }, isOver), [])
    equal(costViolations('GET', { cpuMs: bars.readMs + 1, turnMs: 0 }, isOver).length, 1)
    deepEqual(costViolations('PATCH', { cpuMs: bars.readMs + 1, turnMs: 0 }, isOver), [])
    equal(costViolations('PATCH', { cpuMs: bars.writeMs + 1, turnMs: bars.turnMs + 1 }, isOver).length, 2)
    equal(heapViolations(10, 10 + bars.heapGrowthMb + 1).length, 1)
    deepEqual(heapViolations(100, 90), [])
  })

  it('finds a request above a bar of its own, a late /health, and a folder that grows', () => {
    const cost = { cpuMs: 51, turnMs: 0 }
    match(costViolations('GET', cost, isOver, 0, 50).join(), /51 ms .* more than 50/u)
    deepEqual(costViolations('GET', cost, isOver, 0, 51), [])
    match(healthViolations(bars.healthMs + 1, isOver).join(), /between two answers of \/health/u)
    deepEqual(healthViolations(bars.healthMs, isOver), [])
    const mib = 1024 * 1024
    match(growthViolations('.git', mib, (bars.growthMib + 2) * mib).join(), /\.git grow by 17\.0 MiB/u)
    deepEqual(growthViolations('.git', mib, (bars.growthMib + 1) * mib), [])
  })

  it('gives up on who spends too much or does nothing, not on who has to wait for a processor', () => {
    equal(reasonToGiveUp(5_000, 40_000), null)
    equal(reasonToGiveUp(9_000, 80_000), null)
    match(reasonToGiveUp(10_001, 20_000) ?? '', /processor time/u)
    match(reasonToGiveUp(100, 60_001) ?? '', /doing nothing/u)
  })
})

describe('the verdict on what is served and kept', () => {
  const served = (quantity: number, line: number): string =>
    JSON.stringify({
      items: [
        { Name: 'Talary', Type: 'Przedmiot', Owner: 'Ofelia', Quantity: quantity, Tags: [{ Line: line }] },
        { Name: 'Wilk', Type: 'Postać', Owner: 'Napastnik', Status: String(line) },
      ],
    })

  it('finds a balance that moved, not a line and not what is the caller’s', () => {
    deepEqual(projectionViolations(served(5, 1), served(5, 2), 'Napastnik'), [])
    equal(projectionViolations(served(5, 1), served(6, 1), 'Napastnik').length, 1)
    equal(projectionViolations(served(5, 1), served(5, 2), null).length, 1)
    equal(projectionViolations(served(5, 1), null, null).length, 1)
  })

  it('finds writes that are lost and writes that nobody was told of', () => {
    deepEqual(violationsOfLoss(['a'], new Set(['a', 'b'])), [])
    equal(violationsOfLoss(['c'], new Set(['a'])).length, 1)
    equal(violationsOfUnasked(['a', 'b'], ['a']).length, 1)
  })
})

describe('the verdict on hosts beside a crowd', () => {
  it('finds a row whose slowest hundredth is above its bar, and one that does not answer', () => {
    const row = (waitsMs: ReadonlyArray<number>, ...others: ReadonlyArray<string>) =>
      waitViolations({ row: 'GET /health', barMs: 100, waitsMs, others }, isOver).length
    const quick = Array.from({ length: 198 }, () => 20)
    equal(row([...quick, 900]), 0)
    equal(row([...quick, 900, 900, 900]), 1)
    equal(row([]), 1)
    equal(row(quick, '503 Overloaded'), 1)
  })

  it('finds misses, but not those of a machine that had no processor for a host that is quick', () => {
    const miss = { fromMs: 1_000, toMs: 2_200, afterMs: 0, count: 1, starvedMs: 400 }
    const answers = (waitMs: number) => [{ fromMs: 1_900, toMs: 2_500, waitMs }]
    equal(blamedMisses([miss], answers(20), 600).length, 0)
    equal(blamedMisses([miss], answers(500), 600).length, 1)
    equal(blamedMisses([{ ...miss, starvedMs: 10 }], answers(20), 600).length, 1)
    const seen = { host: 'Deyja', town: 'Erathia', answered: 80 }
    equal(watchViolations({ ...seen, misses: [] }, [], 100, 600).length, 0)
    equal(watchViolations({ ...seen, misses: [{ ...miss, starvedMs: 0 }] }, [], 100, 600).length, 1)
    equal(watchViolations({ ...seen, answered: 3, misses: [] }, [], 100, 600).length, 1)
  })

  it('finds another role, and a crowd that was none', () => {
    equal(roleViolations('Erathia', 'primary', ['primary', 'primary']).length, 0)
    equal(roleViolations('Erathia', 'primary', ['primary', 'replica']).length, 1)
    equal(crowdViolations({ 200: 5, 503: 5 }).length, 0)
    equal(crowdViolations({ 400: 5 }).length, 2)
  })
})
