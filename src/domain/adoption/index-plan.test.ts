import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { planContributors, planIndex } from './block-plans.js'
import type { PlannedBlock } from './blocks.js'

const { path } = sourceFile('entities.md', '')

const block = (heading: string, type: PlannedBlock['type'] = 'NPC'): PlannedBlock => ({
  type,
  heading,
  text: type === 'Gracz' ? `### ${heading}` : `### ${heading}\n- @typ: ${type}`,
  path,
  line: 1,
  findings: [],
})

const many = (count: number): ReadonlyArray<PlannedBlock> =>
  Array.from({ length: count }, (_, at) => block(`Postać nr ${at}`))

describe('the planned index', () => {
  it('goes on in a further file after 250 blocks', () => {
    const { texts } = planIndex([], many(501), false)
    deepEqual(
      [...texts].map(([name, text]) => [name, text.split('### ').length - 1]),
      [
        ['encje/indeks.md', 250],
        ['encje/indeks-02.md', 250],
        ['encje/indeks-03.md', 1],
      ],
    )
  })

  it('keeps what stands byte for byte and counts it, told with what it keeps out', () => {
    const text = '### Jawor\r\n- @typ: NPC\r\n- @info: po mojemu\r\n'
    const plan = planIndex([sourceFile('encje/indeks.md', text)], [block('JAWOR'), block('Lipa')], false)
    equal(plan.texts.get('encje/indeks.md'), `${text}\r\n### Lipa\r\n- @typ: NPC\r\n`)
    equal(plan.preserved, 1)
    deepEqual(
      plan.findings.map(({ kind, subject }) => [kind, subject]),
      [['BlockKept', 'JAWOR']],
    )
  })

  it('does not count its own blocks as kept', () => {
    const first = planIndex([], [block('Jawor')], false)
    const file = sourceFile('encje/indeks.md', first.texts.get('encje/indeks.md') ?? '')
    const second = planIndex([file], [block('Jawor')], true)
    deepEqual([second.texts.size, second.preserved], [0, 0])
  })

  it('knows a renamed block by its old name once the repository is stamped', () => {
    const file = sourceFile('encje/indeks.md', '### Nowy\n- @typ: NPC\n- @alias: Stary\n')
    equal(planIndex([file], [block('Stary')], true).texts.size, 0)
    equal(planIndex([file], [block('Stary')], false).texts.size, 1)
  })

  it('leaves a file whose fence nothing closes alone', () => {
    const file = sourceFile('encje/indeks.md', '### Jawor\n- @typ: NPC\n```\n')
    deepEqual([...planIndex([file], [block('Lipa')], false).texts.keys()], ['encje/indeks-02.md'])
  })
})

describe('the planned contributor store', () => {
  it('puts a person after the last one and before the roles', () => {
    const text = '## Gracz\n### Jawor\n- @gameid: 1\n\n## Role\n### Radny\n'
    equal(
      planContributors(sourceFile('kontrybutorzy.md', text), [block('Lipa', 'Gracz')], false).text,
      '## Gracz\n### Jawor\n- @gameid: 1\n\n### Lipa\n\n## Role\n### Radny\n',
    )
  })

  it('opens the section where there is none', () => {
    const text = '## Role\n### Radny\n'
    ok(
      planContributors(sourceFile('kontrybutorzy.md', text), [block('Lipa', 'Gracz')], false).text?.endsWith(
        '## Gracz\n\n### Lipa\n',
      ),
    )
  })
})
