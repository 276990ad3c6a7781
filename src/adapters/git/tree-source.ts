import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeSource } from '#src/ports/git.js'
import { openDirectorySource } from './directory-source.js'
import { openGitSource } from './git-source.js'

/** Whether the directory itself is a git checkout, not only inside one. */
export const isGitCheckout = (path: string): boolean => existsSync(join(path, '.git'))

/** The source for a path: git where it is a checkout, otherwise a plain directory. */
export const openTreeSource = (path: string): TreeSource =>
  isGitCheckout(path) ? openGitSource(path) : openDirectorySource(path)
