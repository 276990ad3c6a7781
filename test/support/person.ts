import { pushPlainly } from './plain-git.js'
import { repositoryOf } from './repository.js'

/** A person with a clone of a bare repository, who pushes there without a daemon. */
export interface PersonClone {
  /** Merges what is published, commits files, and pushes; returns the commit. */
  readonly publish: (files: Readonly<Record<string, string>>, message?: string) => string
  readonly dispose: () => void
}

/** Pushes a first commit of files to `main` of an empty bare repository. */
export const openPerson = (bare: string, files: Readonly<Record<string, string>>): PersonClone => {
  const clone = repositoryOf(files)
  pushPlainly(clone.path, bare)
  return {
    publish: (changed, message) => {
      clone.git('pull', '-q', '--no-rebase', bare, 'main')
      const commit = clone.commit(changed, message)
      clone.git('push', '-q', bare, 'main')
      return commit
    },
    dispose: clone.dispose,
  }
}
