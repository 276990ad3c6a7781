import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { mergeFile } from '../../../../test/support/at-once.js'

const path = 'encje/indeks.md'
const mergeTexts = (base: string, ours: string, theirs: string, at = path) =>
  mergeFile(at, { base, ours, theirs }, 'theirs')

/** Merges both ways round: the host that merges does not show in the text. */
const text = (base: string, ours: string, theirs: string, at = path) => {
  const one = mergeTexts(base, ours, theirs, at)
  equal(mergeFile(at, { base, ours: theirs, theirs: ours }, 'ours').text, one.text)
  deepEqual(one.conflicts, [])
  return one.text
}

const orrin = '### Orrin\n- @typ: NPC\n- @lokacja: Erathia (2024-01:)\n- @info: Kupiec.\n'

describe('a merge of a lore file', () => {
  it('keeps two appended blocks, the smaller first, parted by a blank line', () => {
    const [adam, zoe] = ['### Adam\n- @typ: NPC\n', '### Zoe\n- @typ: NPC\n']
    equal(text(orrin, `${orrin}\n${zoe}`, `${orrin}\n${adam}`), `${orrin}\n${adam}\n${zoe}`)
  })

  it('takes an identical addition once', () => {
    equal(
      text(orrin, `${orrin}\n### Zoe\n- @typ: NPC\n`, `${orrin}\n### Zoe\n- @typ: NPC\n`),
      `${orrin}\n### Zoe\n- @typ: NPC\n`,
    )
    equal(
      text(orrin, `${orrin}- @grupa: A\n`, orrin.replace('- @info', '- @grupa: A\n- @info')),
      orrin.replace('- @info', '- @grupa: A\n- @info'),
    )
  })

  it('makes one block of two that both added under one name in two spellings', () => {
    const block = (heading: string, row: string): string => `\n### ${heading}\n- @typ: NPC\n- @info: ${row}\n`
    equal(
      text(orrin, orrin + block("O'Braz", 'a'), orrin + block('O\u2019Braz', 'b')),
      `${orrin}\n### O'Braz\n- @typ: NPC\n- @info: a\n- @info: b\n`,
    )
    equal(
      text(orrin, orrin + block('Gr\u200bab', 'a'), orrin + block('Grab', 'b')),
      `${orrin}\n### Grab\n- @typ: NPC\n- @info: a\n- @info: b\n`,
    )
  })

  it('takes a heading in another spelling for the same block', () => {
    const block = (heading: string, info: string): string => `### ${heading}\n- @typ: NPC\n- @info: ${info}\n`
    equal(
      text(
        block('O\u2019Braz', 'a') + orrin,
        block("O'Braz", 'a') + orrin,
        orrin + block('O\u2019Braz', 'b'),
      ),
      orrin + block("O'Braz", 'b'),
    )
  })

  it('merges rows of different tags that stand side by side', () => {
    const ours = orrin.replace('Erathia (2024-01:)', 'Tatalia (2024-01:)')
    const theirs = orrin.replace('Kupiec.', 'Kupiec korzenny.')
    equal(
      text(orrin, ours, theirs),
      orrin.replace('Erathia', 'Tatalia').replace('Kupiec.', 'Kupiec korzenny.'),
    )
  })

  it('merges dated rows of one tag by their range: the earlier closing ends the row', () => {
    const closed = (to: string, next: string, from: string) =>
      orrin.replace('Erathia (2024-01:)', `Erathia (2024-01:${to})\n- @lokacja: ${next} (${from}:)`)
    equal(
      text(orrin, closed('2024-05', 'Tatalia', '2024-06'), closed('2024-06', 'Bracada', '2024-07')),
      orrin.replace(
        'Erathia (2024-01:)',
        'Erathia (2024-01:2024-05)\n- @lokacja: Tatalia (2024-06:)\n- @lokacja: Bracada (2024-07:)',
      ),
    )
  })

  it('keeps rows that both added to a tag of many values', () => {
    equal(text(orrin, `${orrin}- @grupa: Z\n`, `${orrin}- @grupa: A\n`), `${orrin}- @grupa: A\n- @grupa: Z\n`)
  })

  it('merges the items of a list one by one', () => {
    const base = '### A\n- @alias:\n    - Jeden\n    - Dwa\n'
    const ours = base.replace('Jeden', 'Jedynka')
    equal(text(base, ours, `${base}    - Trzy\n`), `${ours}    - Trzy\n`)
  })

  it('keeps the paragraphs of both, each whole', () => {
    const base = '### 2024-05-03, Próba, Solmyr\n\nPoczątek.\n'
    equal(
      text(base, `${base}\nB jeden.\nB dwa.\n`, `${base}\nA jeden.\nC dwa.\n`, 'Wątki/sesje.md'),
      `${base}\nA jeden.\nC dwa.\n\nB jeden.\nB dwa.\n`,
    )
  })

  it('keeps line ends and the missing last newline as they were', () => {
    const base = orrin.replaceAll('\n', '\r\n').slice(0, -2)
    equal(
      text(base, `${base}\r\n- @grupa: Z`, base.replace('Kupiec.', 'X.')),
      `${base.replace('Kupiec.', 'X.')}\r\n- @grupa: Z`,
    )
  })

  it('does not mix the sections of the contributor store', () => {
    const base = '## Gracz\n\n### Solmyr\n- @gameid: 1\n'
    equal(
      text(
        base,
        `${base}\n## Role\n\n### Radny\n- @chat_rola: R\n`,
        `${base}\n### Xeron\n- @gameid: 2\n`,
        'kontrybutorzy.md',
      ),
      `${base}\n### Xeron\n- @gameid: 2\n\n## Role\n\n### Radny\n- @chat_rola: R\n`,
    )
  })

  it('finds a block that was renamed and changes it there', () => {
    const ours = orrin.replace('### Orrin\n', '### Orrin Wielki\n- @alias: Orrin\n')
    equal(text(orrin, ours, orrin.replace('Kupiec.', 'X.')), ours.replace('Kupiec.', 'X.'))
  })

  it('makes one block of two that were added under one heading, where their rows allow it', () => {
    const added = (info: string) => `${orrin}\n### Zoe\n- @typ: NPC\n- @info: ${info}\n`
    equal(text(orrin, added('B'), added('A')), `${orrin}\n### Zoe\n- @typ: NPC\n- @info: A\n- @info: B\n`)
    const group = `${orrin}\n### Zoe\n- @typ: Grupa\n`
    equal(text(orrin, group, added('A')), `${group}\n### Zoe\n- @typ: NPC\n- @info: A\n`)
  })

  it('unites ledgers by line', () => {
    equal(
      text('{"a":1}\n', '{"a":1}\n{"c":1}\n{"d":1}\n', '{"a":1}\n{"b":1}\n{"d":1}\n', 'x.jsonl'),
      '{"a":1}\n{"b":1}\n{"c":1}\n{"d":1}\n',
    )
  })

  const conflict = (base: string, ours: string | null, theirs: string | null, at = path) =>
    mergeFile(at, { base, ours, theirs }, 'theirs')

  it('tells of a row that both changed; theirs stands, and every other change does too', () => {
    const ours = orrin.replace('Kupiec.', 'X.').concat('- @grupa: Z\n')
    const theirs = orrin.replace('Kupiec.', 'Y.')
    deepEqual(conflict(orrin, ours, theirs), {
      text: theirs.concat('- @grupa: Z\n'),
      conflicts: [{ block: 'Orrin', row: '@info', cause: 'changed' }],
    })
  })

  it('tells of a row or block that one side changed and the other removed', () => {
    deepEqual(
      conflict(orrin, orrin.replace('Kupiec.', 'X.'), orrin.replace('- @info: Kupiec.\n', '')).conflicts,
      [{ block: 'Orrin', row: '@info', cause: 'removed' }],
    )
    const two = `${orrin}\n### Zoe\n- @typ: NPC\n`
    deepEqual(conflict(two, orrin, two.replace('### Zoe\n- @typ: NPC', '### Zoe\n- @typ: Grupa')).conflicts, [
      { block: 'Zoe', row: null, cause: 'removed' },
    ])
  })

  it('tells of two values from one day where a tag has one', () => {
    const moved = (to: string) => orrin.concat(`- @lokacja: ${to} (2024-06:)\n`)
    deepEqual(conflict(orrin, moved('A'), moved('B')), {
      text: moved('B'),
      conflicts: [{ block: 'Orrin', row: '@lokacja', cause: 'added' }],
    })
  })

  it('tells of a whole file where it is none of the lore, or gone', () => {
    const whole = (cause: string) => [{ block: null, row: null, cause }]
    deepEqual(conflict('{}', '{"a":1}', '{"b":1}', '.svc/config.json'), {
      text: '{"b":1}',
      conflicts: whole('changed'),
    })
    deepEqual(conflict(orrin, null, `${orrin}x\n`), { text: `${orrin}x\n`, conflicts: whole('removed') })
    deepEqual(conflict(orrin, null, orrin), { text: null, conflicts: [] })
  })
})
