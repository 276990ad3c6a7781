import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { completedFile, completedFolders, completedLines } from '#test/support/completed-lines.js'
import { runCommand } from '#test/support/daemon.js'
import { readHelp } from '#test/support/help.js'
import { temporaryFolder } from '#test/support/repository.js'

/** What bash does when a person presses Tab behind the last word. */
const pressTab = `
  source "$0"
  [[ $(complete -p kronika) == 'complete -F _kronika kronika' ]] || exit 1
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _kronika kronika "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
  ((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"
`

describe('kronika completion bash', () => {
  const folder = temporaryFolder()
  const script = join(folder.path, 'script')
  before(async () => {
    const { code, stdout } = await runCommand(['completion', 'bash'])
    equal(code, 0)
    writeFileSync(script, stdout)
    for (const name of completedFolders) mkdirSync(join(folder.path, name))
    writeFileSync(join(folder.path, completedFile), '')
  })
  after(() => folder.dispose())

  const complete = (...words: ReadonlyArray<string>): ReadonlyArray<string> =>
    execFileSync('bash', ['--norc', '--noprofile', '-c', pressTab, script, ...words], {
      cwd: folder.path,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(line => line !== '')
      .toSorted()

  it('offers every command and option that the help lists', async () => {
    const helps = await readHelp()
    ok(helps.length > 15)
    for (const { command, commands, options } of helps) {
      deepEqual(complete('kronika', ...command, '-'), options.toSorted(), command.join(' '))
      if (commands.length > 0)
        deepEqual(complete('kronika', ...command, ''), commands.toSorted(), command.join(' '))
    }
  })

  for (const [line, offered] of completedLines)
    it(`completes: ${line}`, () => {
      deepEqual(complete(...line.split(' ')), offered)
    })

  it('completes the value behind an equals sign, which bash makes a word', () => {
    deepEqual(complete('kronika', 'serve', '--log-level', '=', 'w'), ['warn'])
    deepEqual(complete('kronika', 'serve', '--log-level', '='), ['debug', 'error', 'info', 'warn'])
    deepEqual(complete('kronika', 'serve', '--log-level', '=', 'warn', '--rep'), ['--repo'])
  })

  it('offers no second folder where one is taken', () => {
    deepEqual(complete('kronika', 'demo', 'lore', 'lo'), [])
  })

  it('refuses a shell that it does not know with 64', async () => {
    equal((await runCommand(['completion', 'tcsh'])).code, 64)
  })
})
