import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'mocha'
import { temporaryFolder } from '#test/support/repository.js'
import { root } from '#test/tidy/sources.js'
import { isShown, settleText } from './output.js'
import { type PageStep, pageStepsOf } from './page.js'
import { hasProgram, type PageRun, runPage } from './run-page.js'

/** The steps of a page; `path` from the root of the project. */
export const stepsIn = (path: string): ReadonlyArray<PageStep> =>
  pageStepsOf(readFileSync(join(root, path), 'utf8'))

const titleOf = (step: PageStep & { readonly kind: 'run' }): string => {
  const [first = '', ...others] = step.code.split('\n')
  return `line ${step.line}: ${first}${others.length === 0 ? '' : ' …'}`
}

/** Declares a test for each block of a page that is run: its lines succeed and print what the page shows. */
export const describePage = (page: string): void => {
  const isRun = ['bash', 'curl', 'git'].every(hasProgram)
  const declare = isRun ? describe : describe.skip
  declare(page, () => {
    const steps = stepsIn(page)
    const absent = new Set(
      steps.flatMap(step => (step.kind === 'run' && step.needs !== null ? [step.needs] : [])),
    )
    for (const program of absent) if (hasProgram(program)) absent.delete(program)
    const skipped = new Set(
      steps.filter(step => step.kind === 'run' && step.needs !== null && absent.has(step.needs)),
    )
    let run: PageRun = { outcomes: [], said: '' }
    before(async () => {
      const { path, dispose } = temporaryFolder()
      try {
        run = await runPage(steps, path, skipped)
      } finally {
        dispose()
      }
    })
    for (const [at, step] of steps.entries()) {
      if (step.kind !== 'run') continue
      if (skipped.has(step)) {
        it.skip(`${titleOf(step)} (${step.needs ?? ''} is not on the path)`)
        continue
      }
      it(titleOf(step), () => {
        const { output, exits } = run.outcomes[at] ?? { output: run.said, exits: null }
        deepEqual(exits, step.exits, output)
        if (step.output === null || isShown(step.output, output)) return
        equal(output, step.output, `settled: ${settleText(output)}`)
      })
    }
  })
}
