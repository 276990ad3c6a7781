import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Adoption } from '#protocol/admin/adoption.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { formatOf } from '#src/corpus/format.js'
import type { FileChange } from '#src/lore/file-change.js'
import type { SourceFile } from '#src/lore/source-file.js'
import type { CommitFailure, Committer } from '#src/ports/committer.js'
import type { Head, TreeSource } from '#src/ports/tree-source.js'
import { fileBytesMax } from '../corpus-keeper/findings.js'
import { decodedFile } from '../corpus-keeper/source-file.js'

export type AdoptRefusal = RefusalOf<
  'NoRepository' | 'WorkTreeDirty' | 'AdoptionFailed' | 'SchemaTooNew' | 'Overloaded'
>
export type AdoptOutcome = Either<AdoptRefusal, Adoption>

/** What adoption decides, as the pure plan tells it (FORMATS 9). */
export interface AdoptionPlan {
  readonly report: Adoption
  readonly changes: ReadonlyArray<FileChange>
  /** Why nothing can be planned; empty where the plan stands. */
  readonly refused: ReadonlyArray<string>
}

export interface AdoptPorts {
  readonly source: TreeSource
  /** Null on a plain directory. */
  readonly commit: Committer | null
  readonly nowMs: () => number
  readonly plan: (files: ReadonlyMap<string, SourceFile>, nowMs: number, dryRun: boolean) => AdoptionPlan
  /** Makes what was committed visible; resolves when it is. */
  readonly published: () => Promise<void>
}

const author = { name: 'Kronika', email: 'kronika@localhost' }

const message = (changes: ReadonlyArray<FileChange>): string =>
  [
    'admin: adopt the legacy repository into format 2',
    '',
    `${changes.length} files. Reverting this commit undoes the adoption.`,
    '',
    'Svc-Actor: machine',
    'Svc-Route: /import',
    '',
  ].join('\n')

/** Text files that adoption may read: what is larger or not UTF-8 text is left where it lies. */
const isText = (path: string): boolean => /\.(md|psd1|txt|json|jsonl|csv)$/i.test(path)

const filesOf = async (source: TreeSource, head: Head): Promise<ReadonlyMap<string, SourceFile>> => {
  const { entries } = await source.list(head)
  const files = new Map<string, SourceFile>()
  for (const entry of entries.filter(one => isText(one.path) && one.bytes <= fileBytesMax)) {
    const bytes = await source.read(entry)
    if (bytes !== null) files.set(entry.path, decodedFile(entry, bytes))
  }
  return files
}

const refusalOf = (failure: CommitFailure): AdoptRefusal => {
  switch (failure._tag) {
    case 'Dirty':
      return refuse(
        'WorkTreeDirty',
        'Commit or put away what is changed in the work tree, then adopt again.',
        {
          files: failure.files,
        },
      )
    case 'Moved':
      return refuse('Overloaded', 'The branch moved while adoption was planned; adopt again.')
    case 'Failed':
      return refuse('AdoptionFailed', 'git could not make the commit.', { findings: [failure.reason] })
  }
}

/**
 * Adopts the committed tree in one commit, all or nothing; a dry run plans and writes nothing. Nothing to change is no
 * commit (D32). Refuses a plain directory, a dirty work tree and a repository of a newer format. Once
 * `superseded` fires it begins no commit: its asker was told that it failed.
 */
export const adopt = async (
  ports: AdoptPorts,
  dryRun: boolean,
  superseded: AbortSignal | null = null,
): Promise<AdoptOutcome> => {
  const { source, commit } = ports
  if (commit === null)
    return left(refuse('NoRepository', 'Adoption makes a commit: run `git init` and commit the lore first.'))
  const head = await source.head()
  const files = await filesOf(source, head)
  if (formatOf(files.get('.svc/format.json') ?? null).state === 'SchemaTooNew')
    return left(refuse('SchemaTooNew', 'A newer daemon stamped this repository; update this host.'))
  const { report, changes, refused } = ports.plan(files, ports.nowMs(), dryRun)
  if (refused.length > 0)
    return left(
      refuse('AdoptionFailed', 'Mend what is named in `findings`, commit, then adopt again.', {
        findings: refused,
      }),
    )
  if (dryRun || changes.length === 0) return right(report)
  const draft = { parent: head.commit, changes, message: message(changes), author, atMs: ports.nowMs() }
  if (superseded?.aborted === true)
    return left(refuse('Overloaded', 'The write gate was restarted while adoption was planned; adopt again.'))
  const landed = await commit(draft)
  if (isLeft(landed)) return left(refusalOf(landed.left))
  await ports.published()
  return right(report)
}
