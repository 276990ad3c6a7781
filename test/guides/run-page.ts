import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '#test/support/daemon.js'
import { root } from '#test/tidy/sources.js'
import type { PageStep } from './page.js'

/** What one step of a page printed, and the exit codes of its lines that failed; null where it did not run. */
export interface PageOutcome {
  readonly output: string
  readonly exits: ReadonlyArray<number>
}

export interface PageRun {
  readonly outcomes: ReadonlyArray<PageOutcome | null>
  /** What bash itself said, such as a syntax error. */
  readonly said: string
}

/** Ends a page that hangs, before mocha does; nothing is concluded from it. */
const pageMsMax = 170_000

/** Whether a program is on the path. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined

/** Waits for lines of a background job, or its end; the job is a process group of its own. */
const prelude = `set -m
wait_lines() { until [ "$(wc -l < "$1")" -ge "$2" ] || ! kill -0 "$3" 2> /dev/null; do sleep 0.1; done; }
end_job() { kill -TERM -- "-$1" 2> /dev/null; wait "$1" 2> /dev/null; return 0; }
SERVING=
stop_serving() { for job in $SERVING; do end_job "$job"; done; SERVING=; }
trap stop_serving EXIT
trap 'echo $? >> "$FAILED"' ERR
`

const scriptOf = (step: PageStep, at: number): string => {
  const out = `"$STEPS/${at}.out"`
  if (step.kind === 'file')
    return `mkdir -p "$(dirname '${step.name}')"\ncp "$STEPS/${at}.text" '${step.name}'\n`
  const start = `FAILED="$STEPS/${at}.failed"\n: > "$FAILED"\n`
  if (step.until.kind === 'end') return `${start}{\n${step.code}\n} > ${out} 2>&1\n`
  const count = step.until.kind === 'lines' ? step.until.count : 1
  const job = `${start}: > ${out}\n(\n${step.code}\n) > ${out} 2> "$STEPS/${at}.err" &\nJOB=$!\nwait_lines ${out} ${count} $JOB\n`
  return step.until.kind === 'ready' ? `${job}SERVING="$JOB $SERVING"\n` : `${job}end_job $JOB\n`
}

const textAt = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)

const outcomeOf = (step: PageStep, base: string): PageOutcome | null => {
  const failed = textAt(`${base}.failed`)
  if (step.kind === 'file' || failed === null) return null
  const printed = textAt(`${base}.out`) ?? ''
  const lines = step.until.kind === 'lines' ? printed.split('\n').slice(0, step.until.count) : [printed]
  return {
    output: lines.join('\n'),
    exits: failed.split('\n').flatMap(line => (line === '' ? [] : [Number(line)])),
  }
}

const runSource = (path: string): string =>
  `exec '${process.execPath}' --conditions=source --import '${import.meta.resolve('tsx')}' ` +
  `'${join(root, path)}' "$@"`

/** The programs that a page finds in the path beside those of the machine. */
const programScripts: Readonly<Record<string, string>> = {
  kronika: `exec '${process.execPath}' '${binary}' "$@"`,
  'chat-double': runSource('test/support/chat/run.ts'),
  'forge-double': runSource('test/support/forge/run.ts'),
}

/** Makes `kronika` and the forge double programs of the path, and git somebody's. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  for (const [name, script] of Object.entries(programScripts))
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const config = join(folder, 'gitconfig')
  writeFileSync(config, '[user]\n\tname = Ola\n\temail = ola@example.org\n')
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(others),
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_NOSYSTEM: '1',
    STEPS: join(folder, 'steps'),
    KRONIKA_DIR: root,
  }
}

const runBash = (script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', [script], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: pageMsMax,
    })
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString('utf8')
    })
    child.once('error', reject)
    child.once('close', () => resolve(said))
  })

/**
 * Runs the steps of a page in one shell, in a work folder below `folder`, which is empty. Daemons that it starts have
 * ended when it returns. `skipped` steps are left out.
 */
export const runPage = async (
  steps: ReadonlyArray<PageStep>,
  folder: string,
  skipped: ReadonlySet<PageStep>,
): Promise<PageRun> => {
  const stepsFolder = join(folder, 'steps')
  const work = join(folder, 'work')
  for (const made of [stepsFolder, work]) mkdirSync(made)
  for (const [at, step] of steps.entries())
    if (step.kind === 'file') writeFileSync(join(stepsFolder, `${at}.text`), `${step.text}\n`)
  const script = join(folder, 'page.sh')
  const parts = steps.map((step, at) => (skipped.has(step) ? '' : scriptOf(step, at)))
  writeFileSync(script, prelude + parts.join(''))
  const said = await runBash(script, work, environmentIn(folder))
  return { outcomes: steps.map((step, at) => outcomeOf(step, join(stepsFolder, String(at)))), said }
}
