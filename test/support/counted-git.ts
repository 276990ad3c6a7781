import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { temporaryFolder } from './repository.js'

/** Returns the subcommands of the git processes that this process starts by name while `work` runs. */
export const gitsOf = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const folder = temporaryFolder()
  const log = join(folder.path, 'log')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const shim = join(folder.path, 'git')
  writeFileSync(log, '')
  writeFileSync(shim, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${real}' "$@"\n`)
  chmodSync(shim, 0o755)
  const path = process.env['PATH'] ?? ''
  process.env['PATH'] = `${folder.path}${delimiter}${path}`
  try {
    await work()
    return readFileSync(log, 'utf8').split('\n').filter(Boolean).map(subcommandOf)
  } finally {
    process.env['PATH'] = path
    folder.dispose()
  }
}

/** The word after the settings (`-c name=value`). */
const subcommandOf = (line: string): string => {
  const words = line.split(' ')
  let at = 0
  while (words[at] === '-c') at += 2
  return words[at] ?? ''
}
