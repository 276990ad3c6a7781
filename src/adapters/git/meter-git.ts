import type { ChildProcess } from 'node:child_process'
import { type GitCommand, type GitProcessResult, gitCommands } from '#protocol/sync.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'

/** The command among git's arguments, after any settings. */
export const gitCommandOf = (args: ReadonlyArray<string>): string => {
  const at = args.findIndex((arg, nth) => arg !== '-c' && args[nth - 1] !== '-c')
  return args[at] ?? ''
}

const labelOf = (args: ReadonlyArray<string>): GitCommand => {
  const command = gitCommandOf(args)
  return gitCommands.find(known => known === command) ?? 'other'
}

const resultOf = (child: ChildProcess, code: number | null): GitProcessResult => {
  if (child.pid === undefined) return 'not_started'
  if (code === null) return 'killed'
  return code === 0 ? 'ok' : code === 1 ? 'exit_1' : 'failed'
}

/** Meters a process of git when it ends, and returns it. */
export const meterGit = <C extends ChildProcess>(args: ReadonlyArray<string>, child: C): C => {
  const sinceMs = performance.now()
  child.once('close', code => {
    const command = labelOf(args)
    processMeter.count('svc_git_commands_total', { command, result: resultOf(child, code) })
    processMeter.observe(
      'svc_git_command_duration_seconds',
      { command },
      (performance.now() - sinceMs) / 1_000,
    )
  })
  return child
}
