import { deepEqual, equal } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { completedFile, completedFolders, completedLines } from '#test/support/completed-lines.js'
import { runCommand } from '#test/support/daemon.js'
import { temporaryFolder } from '#test/support/repository.js'
import { hasTool } from './tool.js'

/** An interactive zsh whose ^T puts every candidate into the line and prints the line. */
const zshStart = `
autoload -Uz compinit
compinit -u -D
source "$ZDOTDIR/zsh-script"
insert-all() { _main_complete; compstate[insert]=all; compstate[list]= }
zle -C insert-all complete-word insert-all
report() { zle insert-all; print -r -- "<<<$BUFFER>>>" }
zle -N report
bindkey '^T' report
zle-line-init() { print -r -- READY }
zle -N zle-line-init
PS1=
`

/** Types a line into that zsh and prints what stands there after ^T. */
const zshType = `
zmodload zsh/zpty
zpty inner "TERM=dumb zsh -d -i"
local text
zpty -r inner text '*READY*'
zpty -w -n inner "$1"$'\\x14'
zpty -r inner text '*<<<*>>>*'
print -r -- "\${\${text##*<<<}%%>>>*}"
zpty -d inner
`

/** What zsh wrote for the last word: candidates with blanks quoted, folders with a slash at the end. */
const candidatesOf = (line: string, completed: string): ReadonlyArray<string> => {
  const before = line.slice(0, line.lastIndexOf(' ') + 1)
  const added = completed.slice(before.length).trim()
  if (!completed.startsWith(before) || added === line.slice(before.length).trim()) return []
  return [...added.matchAll(/(?:\\.|[^ \\])+/g)]
    .map(([word]) => word.replaceAll('\\', '').replace(/\/$/, ''))
    .toSorted()
}

describe('kronika completion', () => {
  const present = new Set<string>()
  const folder = temporaryFolder()
  before(async () => {
    for (const shell of ['zsh', 'fish'].filter(hasTool)) {
      present.add(shell)
      writeFileSync(join(folder.path, `${shell}-script`), (await runCommand(['completion', shell])).stdout)
    }
    writeFileSync(join(folder.path, '.zshrc'), zshStart)
    for (const name of completedFolders) mkdirSync(join(folder.path, name))
    writeFileSync(join(folder.path, completedFile), '')
  })
  after(() => folder.dispose())

  const run = (program: string, args: ReadonlyArray<string>): string => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, ZDOTDIR: folder.path, HOME: folder.path, XDG_CONFIG_HOME: folder.path },
      timeout: 60_000,
    })
    equal(status, 0, stderr)
    return stdout
  }

  for (const [line, offered] of completedLines) {
    it(`in zsh: ${line}`, function () {
      if (!present.has('zsh')) this.skip()
      deepEqual(candidatesOf(line, run('zsh', ['-f', '-c', zshType, 'zsh', line])), offered)
    })

    it(`in fish: ${line}`, function () {
      if (!present.has('fish')) this.skip()
      const out = run('fish', ['--no-config', '-c', 'source fish-script; complete -C $argv[1]', line])
      const candidates = out.split('\n').map(one => (one.split('\t')[0] ?? '').replace(/\/$/, ''))
      deepEqual(candidates.filter(one => one !== '').toSorted(), offered)
    })
  }
})
