import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '#test/tidy/sources.js'
import { applyEdit, findGaps, type Howto } from './howto.js'
import { howtos } from './howtos.js'

/**
 * `npm run howto [-- --only add-a-route]`: follows each howto of the table in a copy of the tree, checks the types, the
 * rules of the project and the tests that concern the change there, and prints the files that it touched. Exits with 1
 * where a check fails or a howto touches more files than it may.
 */

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync('git', ['-c', 'user.name=howto', '-c', 'user.email=howto@localhost', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })

const pathsOf = (listing: string): ReadonlyArray<string> => listing.split('\0').filter(path => path !== '')

/** A copy of what git tracks or would track, as a repository of its own with one commit. */
const openCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'howto-'))
  for (const path of pathsOf(git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  git(copy, 'init', '-q')
  git(copy, 'add', '-A')
  git(copy, '-c', 'commit.gpgSign=false', 'commit', '-q', '-m', 'copy')
  return copy
}

const applySample = (copy: string, { edits }: Howto): void => {
  for (const edit of edits) {
    const path = join(copy, edit.path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, applyEdit(edit, existsSync(path) ? readFileSync(path, 'utf8') : null))
  }
}

/** Runs a program in the copy; answers what it printed where it failed, else null. */
const failureOf = (copy: string, program: string, ...args: ReadonlyArray<string>): string | null => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    env: { ...process.env, FORCE_COLOR: '0' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 ? null : `${program} ${args.join(' ')}\n${stdout}${stderr}`
}

const touchedIn = (copy: string): ReadonlyArray<string> => {
  git(copy, 'add', '-A')
  return pathsOf(git(copy, 'diff', '--cached', '--name-only', '-z', 'HEAD'))
}

const isGenerated = (path: string): boolean => path.startsWith('docs/reference/')

const tidyTests = (copy: string): ReadonlyArray<string> =>
  readdirSync(join(copy, 'test/tidy'))
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `test/tidy/${name}`)

/** Why following a howto does not end well; the first failure of its checks. */
const checkCopy = (copy: string, { tests }: Howto, written: ReadonlyArray<string>): string | null =>
  failureOf(copy, 'npx', 'biome', 'check', '--write', ...written) ??
  failureOf(copy, 'npx', 'eslint', ...written.filter(path => path.endsWith('.ts'))) ??
  failureOf(copy, 'npx', 'tsc', '--noEmit') ??
  failureOf(copy, 'npm', 'run', '-s', 'docs:check') ??
  failureOf(copy, 'npx', 'mocha', ...tidyTests(copy), ...tests)

const follow = (copy: string, howto: Howto): string | null => {
  const textOf = (page: string): string => readFileSync(join(copy, `docs/howto/${page}.md`), 'utf8')
  const gaps = findGaps(howto, textOf)
  if (gaps.length > 0) return gaps.join('\n')
  applySample(copy, howto)
  for (const { script } of howto.scripts) {
    const failure = failureOf(copy, 'npm', 'run', '-s', script)
    if (failure !== null) return failure
  }
  const touched = touchedIn(copy)
  const written = touched.filter(path => !isGenerated(path))
  say(`${howto.page}: ${written.length} files by hand, ${touched.length - written.length} generated`)
  for (const path of touched) say(`  ${isGenerated(path) ? '(generated) ' : ''}${path}`)
  if (howto.filesMax !== null && written.length > howto.filesMax)
    return `${written.length} files are touched by hand; at most ${howto.filesMax} may be`
  return checkCopy(copy, howto, written)
}

const copy = openCopy()
try {
  for (const howto of howtos.filter(({ page }) => page.includes(values.only))) {
    const startedMs = performance.now()
    const failure = follow(copy, howto)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    say(failure === null ? `  passed in ${seconds} s` : `  FAILED in ${seconds} s\n${failure}`)
    if (failure !== null) process.exitCode = 1
    git(copy, 'reset', '-q', '--hard', 'HEAD')
    git(copy, 'clean', '-qfd')
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
