#!/usr/bin/env node
import { exitCodes } from '#protocol/exit-code.js'
import type { Output } from '#src/cli/output.js'
import { run } from '#src/cli/program.js'
import { commands } from '#src/node/commands/commands.js'
import { packageVersion } from '#src/node/package-files.js'
import { nameSources } from '#src/node/start/checkout.js'
import { leaveWithReader } from '#src/node/start/serve.js'

const output: Output = {
  out: text => void process.stdout.write(`${text}\n`),
  err: text => void process.stderr.write(`${text}\n`),
  isTerminal: process.stderr.isTTY,
}

nameSources()
for (const stream of [process.stdout, process.stderr]) stream.on('error', leaveWithReader)
try {
  process.exitCode = await run(process.argv, commands(output), packageVersion())
} catch (error) {
  output.err(`kronika: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = exitCodes.uncaught
}
