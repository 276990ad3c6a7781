import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { root } from '#test/tidy/sources.js'
import { type ImageStage, type ImageStep, packagesOf } from './dockerfile.js'

/**
 * The steps of a Dockerfile without an engine: each stage is a bare folder with `/opt` and `/srv`, which a step sees in
 * place of those of the machine, in a mount namespace of its own. The rest of the base is this machine, whose packages
 * stand for those that `apt-get` would install.
 */
export interface BareImage {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly user: { readonly uid: string; readonly gid: string } | null
  readonly cwd: string
  readonly entrypoint: ReadonlyArray<string>
  readonly health: ReadonlyArray<string>
}

/** A folder of the machine that a container sees at a path. */
export interface Mount {
  readonly from: string
  readonly to: string
}

const mountAll =
  'while [ "$1" != -- ]; do mount --bind "$1" "$2"; shift 2; done; shift; cd "$1"; shift; exec "$@"'

/** The command that becomes `argv` inside an image; its process keeps its pid. */
export const commandIn = (
  image: BareImage,
  argv: ReadonlyArray<string>,
  mounts: ReadonlyArray<Mount> = [],
): ReadonlyArray<string> => {
  const own = ['opt', 'srv'].map(name => ({ from: join(image.folder, name), to: `/${name}` }))
  const bound = [...own, ...mounts].flatMap(({ from, to }) => [from, to])
  const { user } = image
  const asUser =
    user === null
      ? []
      : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--no-new-privs']
  return ['unshare', '-m', 'sh', '-ec', mountAll, 'sh', ...bound, '--', image.cwd, ...asUser, ...argv]
}

/** What is in the context of a build: what git tracks or would track, without what `.dockerignore` names. */
const contextPaths = (): ReadonlyArray<string> => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`))
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(path => path !== '' && existsSync(join(root, path)) && !ignored.some(one => one.test(path)))
}

const copyContext = (source: string, target: string): void => {
  if (source !== '.') return cpSync(join(root, source), join(target, basename(source)), { recursive: true })
  for (const path of contextPaths()) cpSync(join(root, path), join(target, path))
}

const copyStep = (
  image: BareImage,
  step: ImageStep & { readonly kind: 'copy' },
  made: ReadonlyMap<string, BareImage>,
): void => {
  const target = join(image.folder, resolve(image.cwd, step.to))
  const source = step.from === null ? null : made.get(step.from)
  if (source === undefined) throw new Error(`no stage ${step.from ?? ''}`)
  const isFolder = step.to.endsWith('/')
  for (const path of step.sources)
    if (source === null) copyContext(path, target)
    else
      cpSync(join(source.folder, path), isFolder ? join(target, basename(path)) : target, { recursive: true })
}

/** Runs a command of a step, and returns why it did not go well; null where it did. */
const runStep = (image: BareImage, command: string, env: NodeJS.ProcessEnv): string | null => {
  const absent = packagesOf(command).filter(
    name => spawnSync('dpkg', ['-s', name], { stdio: 'ignore' }).status !== 0,
  )
  if (absent.length > 0) return `packages that this machine has not: ${absent.join(' ')}`
  if (packagesOf(command).length > 0) return null
  const [program = '', ...args] = commandIn(image, ['sh', '-c', command])
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { ...env, ...image.env },
    encoding: 'utf8',
  })
  return status === 0 ? null : `${command}: ${stdout}${stderr}`
}

/** Where the machine has the headers of node at another place than the base, node-gyp finds them there. */
const withHeaders = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  'npm_config_nodedir' in values && existsSync('/usr/include/node')
    ? { ...values, npm_config_nodedir: '/usr' }
    : values

/** Carries out the steps of a stage in a folder. Throws where a step fails. */
const runStage = (
  stage: ImageStage,
  folder: string,
  made: ReadonlyMap<string, BareImage>,
  env: NodeJS.ProcessEnv,
): BareImage => {
  let image: BareImage = { folder, env: {}, user: null, cwd: '/', entrypoint: [], health: [] }
  for (const name of ['opt', 'srv']) mkdirSync(join(folder, name), { recursive: true })
  for (const step of stage.steps)
    switch (step.kind) {
      case 'run': {
        const failure = runStep(image, step.command, env)
        if (failure !== null) throw new Error(failure)
        break
      }
      case 'copy':
        copyStep(image, step, made)
        break
      case 'workdir':
        mkdirSync(join(folder, step.path), { recursive: true })
        image = { ...image, cwd: step.path }
        break
      case 'env':
        image = { ...image, env: { ...image.env, ...withHeaders(step.values) } }
        break
      case 'user':
        image = { ...image, user: step }
        break
      case 'entrypoint':
      case 'health':
        image = { ...image, [step.kind]: step.argv }
    }
  return image
}

/** Carries out all stages, each in a folder of its own below `folder`. */
export const buildBare = (
  stages: ReadonlyArray<ImageStage>,
  folder: string,
  env: NodeJS.ProcessEnv,
): ReadonlyMap<string, BareImage> => {
  const made = new Map<string, BareImage>()
  for (const stage of stages) made.set(stage.name, runStage(stage, join(folder, stage.name), made, env))
  return made
}
