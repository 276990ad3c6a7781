import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ForgeProcess } from '#test/support/forge/forge-process.js'
import { gitIn, headIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import type { KillChat } from './chat/chat-platform.js'

/** Where a world lies: the checkout of the daemon and, where the scenario has one, its remote. */
export interface KillPlace {
  /** The folder that everything below is in. */
  readonly root: string
  readonly repo: string
  readonly remote: RemotePlace | null
  /** The forge over the remote; null without one. */
  readonly forge: ForgeProcess | null
  /** The chat platform that the daemon calls; null without one. */
  readonly chat: KillChat | null
  /** What the daemon is started with beside the repository. */
  readonly serving: Serving
  readonly dispose: () => void
}

/** Further arguments and variables of `kronika serve`. */
export interface Serving {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** The remote of a world, and another host's clone of it. */
export interface RemotePlace {
  readonly bare: string
  /** Publishes a change of one file from the other host; the commit. */
  readonly publish: (path: string, change: (text: string) => string) => string
}

/** The remote's side of git is another machine: it does not die with this host, so it leaves the process group. */
const ownGroup = ['upload-pack', 'receive-pack'] as const

const remoteOf = (root: string, repo: string): RemotePlace => {
  const [bare, clone] = [join(root, 'origin.git'), join(root, 'other')]
  gitIn(root, 'clone', '-q', '--bare', repo, bare)
  gitIn(repo, 'remote', 'add', 'origin', bare)
  for (const program of ownGroup)
    gitIn(repo, 'config', `remote.origin.${program.replace('-', '')}`, `setsid -w git-${program}`)
  gitIn(root, 'clone', '-q', bare, clone)
  return {
    bare,
    publish: (path, change) => {
      gitIn(clone, 'fetch', '-q', 'origin')
      gitIn(clone, 'reset', '-q', '--hard', 'origin/main')
      const text = execFileSync('git', ['show', `HEAD:${path}`], { cwd: clone, encoding: 'utf8' })
      writeFiles(clone, { [path]: change(text) })
      gitIn(clone, 'commit', '-q', '-a', '-m', 'another host')
      gitIn(clone, 'push', '-q', 'origin', 'HEAD:main')
      return headIn(clone)
    },
  }
}

/** A checkout with one commit of `files`, and a remote with the same where one is wanted. */
export const openPlace = (files: Readonly<Record<string, string>>, hasRemote: boolean): KillPlace => {
  const { path: root, dispose } = temporaryFolder()
  const repo = join(root, 'repo')
  gitIn(root, 'init', '-q', '-b', 'main', repo)
  writeFiles(repo, files)
  gitIn(repo, 'add', '-A')
  gitIn(repo, 'commit', '-q', '-m', 'first')
  const remote = hasRemote ? remoteOf(root, repo) : null
  return { root, repo, remote, forge: null, chat: null, serving: { args: [], env: {} }, dispose }
}
