import { absurd } from 'fp-ts/lib/function.js'
import type { PerformTask } from '#actors/job-runner.js'
import { type ImportParts, performImport } from './import-task.js'
import { performRebuild, type RebuildParts } from './rebuild-task.js'
import { performReindex, type ReindexParts } from './reindex-task.js'
import { performWrite, type WriteParts } from './write-task.js'

/** What the tasks need of the node. */
export type TaskParts = ImportParts & RebuildParts & ReindexParts & WriteParts

/** Does the work of a task, by its tag. Returns the encoded answer that the request would have had. */
export const performTaskBy =
  (parts: TaskParts): PerformTask =>
  (task, progress) => {
    switch (task._tag) {
      case 'Import':
        return performImport(parts, task, progress)
      case 'Reindex':
        return performReindex(parts, task, progress)
      case 'RebuildSearch':
        return performRebuild(parts, progress)
      case 'Write':
        return performWrite(parts, task, progress)
      default:
        return absurd(task)
    }
  }
