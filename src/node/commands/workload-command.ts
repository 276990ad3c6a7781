import { isLeft } from 'fp-ts/lib/Either.js'
import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import { exitCodes } from '#protocol/exit-code.js'
import type { Workload } from '#protocol/host/config.js'
import { runChild } from '#src/adapters/process-groups.js'
import type { Output } from '#src/cli/output.js'
import { type CommittedOwner, type WorkloadOptions, workloadCommand } from '#src/cli/workload.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import type { TreeSource } from '#src/ports/git.js'
import { openSource } from '../start/checkout.js'

/** The owner that HEAD states. Findings of the whole file, and of this key, are warnings. */
const readOwner = async (source: TreeSource, workload: Workload): Promise<CommittedOwner> => {
  const found = await source.file(configPath)
  const file =
    found === null
      ? null
      : decodeFile({ path: configPath, blob: found.blob, bytes: found.bytes.length }, found.bytes)
  const about = readConfig(file).findings.filter(
    ({ subject, severity }) => subject === `schedules.${workload}` || severity === 'error',
  )
  return { ...readSchedules(file).of(workload), warnings: about.map(one => one.reason) }
}

/** `kronika workload` over the committed configuration of a checkout; it needs no daemon. */
export const runWorkload =
  (output: Output) =>
  async (options: WorkloadOptions): Promise<number> => {
    const opened = await openSource(options.repo)
    if (isLeft(opened)) {
      output.err(`kronika workload: ${opened.left.reason}`)
      return opened.left.code
    }
    try {
      if ((await opened.right.head()).commit === null) {
        output.err(
          `kronika workload: ${options.repo} has no commit, so no owner; name the checkout of the lore.`,
        )
        return exitCodes.usage
      }
      const owner = await readOwner(opened.right, options.workload)
      return await workloadCommand(runChild, output)(options, owner)
    } finally {
      await opened.right.close()
    }
  }
