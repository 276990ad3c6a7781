import { nameKey } from '#protocol/atoms.js'
import { type DemoWorld, demoWorld } from '#src/demo/world.js'
import { figureAtLeast, figureAtMost } from '#test/bench/figure.js'
import { type Evaluation, percentOf } from './evaluation.js'
import { type NameDaemon, withDaemonOver, worldOfHeadings } from './name-daemon.js'

/** A form that the generator of demo worlds makes, and the headings that have it. */
export interface DemoForm {
  readonly form: string
  readonly names: ReadonlySet<string>
}

/** Every form of the full names of a demo world: the declension that its texts are written with. */
export const demoForms = (paradigms: DemoWorld['paradigms']): ReadonlyArray<DemoForm> => {
  const byForm = new Map<string, { readonly form: string; readonly names: Set<string> }>()
  for (const [name, [full]] of paradigms)
    for (const form of full === undefined ? [] : Object.values(full.forms)) {
      const known = byForm.get(nameKey(form)) ?? { form, names: new Set<string>() }
      byForm.set(nameKey(form), known)
      known.names.add(name)
    }
  return [...byForm.values()]
}

const measure = async (daemon: NameDaemon, forms: ReadonlyArray<DemoForm>): Promise<Evaluation> => {
  const own = forms.filter(({ names }) => names.size === 1)
  const results = await daemon.resolveAll(
    own.map(({ form }) => form),
    { noFuzzy: true },
  )
  const lines: Array<string> = []
  let wrong = 0
  for (const [at, { form, names }] of own.entries()) {
    const found = results[at]
    if (typeof found?.resolved === 'string' && names.has(found.resolved)) continue
    if (typeof found?.resolved === 'string') wrong += 1
    lines.push(
      `${form} is a form of ${[...names].join()}, resolves to ${found?.resolved ?? 'none'} (${found?.stage ?? 'miss'})`,
    )
  }
  return {
    title: 'demo names',
    figures: [
      figureAtLeast('demo names: right', '%', 99, percentOf(own.length - lines.length, own.length)),
      figureAtMost('demo names: wrong', '%', 0.4, percentOf(wrong, own.length)),
    ],
    wrong: lines,
  }
}

/** Resolves the forms of a demo world, whose grammar is another implementation than the resolver's. */
export const evaluateDemo = async (): Promise<ReadonlyArray<Evaluation>> => {
  const { paradigms } = demoWorld({ seed: 'ocena' })
  return [
    await withDaemonOver(worldOfHeadings([...paradigms.keys()]), daemon =>
      measure(daemon, demoForms(paradigms)),
    ),
  ]
}
