/** A numbered step of a page of docs/howto/develop; `page` where it is another page that the howto refers to. */
export interface StepRef {
  readonly page?: string
  readonly step: number
}

/** What following a step does to one file: a new file, or text behind an anchor that is there exactly once. */
export type SampleEdit = {
  readonly of: ReadonlyArray<StepRef>
  readonly path: string
  readonly text: string
} & ({ readonly isNew: true } | { readonly after: string })

/** A page of docs/howto/develop with a sample change that follows it. */
export interface Howto {
  /** Name of the page: `docs/howto/develop/<page>.md`. */
  readonly page: string
  readonly edits: ReadonlyArray<SampleEdit>
  /** Scripts of package.json that a step tells to run, before the checks. */
  readonly scripts: ReadonlyArray<{ readonly of: ReadonlyArray<StepRef>; readonly script: string }>
  /** Why the sample has nothing to do at a step. */
  readonly idle: ReadonlyArray<{ readonly step: number; readonly reason: string }>
  /** Tests that concern the change and that `npm run test:fast` leaves out; `grep` where a few of a file do. */
  readonly slowTests: ReadonlyArray<{ readonly path: string; readonly grep?: string }>
  /** The most files that following the page may touch by hand. */
  readonly filesMax: number
}

/** The files that the sample edits by hand. What its scripts change beside them is generated. */
export const listHandEdits = ({ edits }: Howto): ReadonlySet<string> => new Set(edits.map(({ path }) => path))

/** The texts of the numbered steps of a page, continuation lines included, by number. */
export const stepsOf = (text: string): ReadonlyMap<number, string> => {
  const steps = new Map<number, string>()
  let current: number | null = null
  for (const line of text.split('\n')) {
    const number = /^(\d+)\. /.exec(line)?.[1]
    if (number !== undefined) current = Number(number)
    else if (!line.startsWith(' ')) current = null
    if (current !== null) steps.set(current, `${steps.get(current) ?? ''}${line}\n`)
  }
  return steps
}

/** The paths in backticks; `<area>` and the like stand for one part of a path. */
const pathsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([\w.<>/-]+\/[\w.<>/-]*)`/g)].map(found => found[1] ?? '')

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\-]/g, '\\$&')

/** Whether a path of a page means the file: a folder means what lies in it, with a placeholder any one name. */
const means = (named: string, path: string): boolean => {
  const pattern = named.split(/<\w+>/).map(escapeText).join('[\\w-]+')
  return new RegExp(`^${pattern}${named.endsWith('/') ? '[\\w.-]+' : ''}$`).test(path)
}

const stepName = (page: string, { page: other = page, step }: StepRef): string => `${other} ${step}`

/**
 * What is wrong between a page and its sample: a step that the sample neither follows nor passes over with a reason, a
 * step that is not there, an edit of a file that none of its steps names, more files than it may touch by hand.
 */
export const findGaps = (howto: Howto, textOf: (page: string) => string): ReadonlyArray<string> => {
  const own = stepsOf(textOf(howto.page))
  const followed = [...howto.edits, ...howto.scripts].flatMap(({ of }) => of)
  const covered = new Set([
    ...followed.map(ref => stepName(howto.page, ref)),
    ...howto.idle.map(({ step }) => stepName(howto.page, { step })),
  ])
  const textAt = ({ page = howto.page, step }: StepRef): string | undefined => stepsOf(textOf(page)).get(step)
  const refs = [...followed, ...howto.idle.map(({ step }) => ({ step }))]
  const { size } = listHandEdits(howto)
  return [
    ...[...own.keys()]
      .filter(step => !covered.has(stepName(howto.page, { step })))
      .map(step => `the sample does not follow step ${step} of ${howto.page}`),
    ...refs
      .filter(ref => textAt(ref) === undefined)
      .map(ref => `there is no step ${stepName(howto.page, ref)}`),
    ...howto.edits
      .filter(({ of, path }) => !of.some(ref => pathsIn(textAt(ref) ?? '').some(named => means(named, path))))
      .map(({ of, path }) => `${of.map(ref => stepName(howto.page, ref)).join(', ')} does not name ${path}`),
    ...(size > howto.filesMax
      ? [
          `the sample of ${howto.page} touches ${size} files by hand; at most ${howto.filesMax} may be touched`,
        ]
      : []),
  ]
}

/**
 * The text of a file after an edit.
 *
 * @throws an Error where a new file is there already, or the anchor is not there exactly once.
 */
export const applyEdit = (edit: SampleEdit, before: string | null): string => {
  if ('isNew' in edit) {
    if (before === null) return edit.text
    throw new Error(`${edit.path} is there already: give the sample another name`)
  }
  const parts = (before ?? '').split(edit.after)
  if (parts.length !== 2)
    throw new Error(`${edit.path} has its anchor ${parts.length - 1} times, not once: ${edit.after}`)
  return parts.join(edit.after + edit.text)
}

/**
 * The text of each file that a sample edits, after its edits. `textAt` answers the text of a file before, null where
 * there is none.
 *
 * @throws as `applyEdit` does.
 */
export const applySample = (
  { edits }: Howto,
  textAt: (path: string) => string | null,
): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const edit of edits) texts.set(edit.path, applyEdit(edit, texts.get(edit.path) ?? textAt(edit.path)))
  return texts
}
