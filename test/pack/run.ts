import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProgram } from '#test/support/build.js'
import { root } from '#test/tidy/sources.js'
import { runProgram, serveDemo } from './installed.js'
import { judgePackageFiles } from './package-files.js'
import { packBinary, sqliteBinary, versionIn } from './prebuilt.js'

/**
 * `npm run test:pack`: packs the project, installs the tarball in an empty folder as npm does for an operator, and
 * serves a demo world with the `kronika` that this puts on the path. Needs the registry of npm.
 *
 * SQLite is not compiled a second time where this checkout has it compiled: prebuild-install, which the install of
 * better-sqlite3 runs, finds that binary as a prebuilt one. `--compile` leaves that out.
 */

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const timeStep = async <A>(what: string, work: () => A | Promise<A>): Promise<A> => {
  const start = performance.now()
  const made = await work()
  say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return made
}

/** Packs what is built, and returns the tarball. */
const packProject = (folder: string): string => {
  buildProgram()
  runProgram('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root)
  const [tarball = ''] = readdirSync(folder)
  return join(folder, tarball)
}

const judgeTarball = (tarball: string, folder: string): void => {
  const files = runProgram('tar', ['-tzf', tarball], folder)
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/^package\//, ''))
  const wrong = judgePackageFiles(files)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  say(`${files.length} files in the tarball`)
}

/** The program of an installation: a link on the path, an executable that names node, and SQLite beside it. */
const judgeInstallation = (prefix: string): void => {
  const program = realpathSync(join(prefix, 'bin/kronika'))
  const home = join(realpathSync(prefix), 'lib/node_modules/kronika')
  if (program !== join(home, 'dist/src/main.js')) throw new Error(`kronika on the path is ${program}`)
  if (!readFileSync(program, 'utf8').startsWith('#!/usr/bin/env node\n'))
    throw new Error(`${program} does not begin with #!/usr/bin/env node`)
  if (!existsSync(join(home, 'node_modules/better-sqlite3', sqliteBinary)))
    throw new Error(`better-sqlite3 has no ${sqliteBinary} in ${home}`)
}

const main = async (folder: string): Promise<void> => {
  const makeFolder = (name: string): string => {
    mkdirSync(join(folder, name))
    return join(folder, name)
  }
  const packed = makeFolder('packed')
  const prebuilt = makeFolder('prebuilt')
  const prefix = makeFolder('prefix')
  const away = makeFolder('away')
  const tarball = await timeStep('packed', () => packProject(packed))
  judgeTarball(tarball, folder)
  const compiled = process.argv.includes('--compile') ? {} : packBinary(prebuilt)
  const env = { ...process.env, ...compiled }
  const install = ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball]
  await timeStep('installed in an empty folder', () => runProgram('npm', install, away, env))
  judgeInstallation(prefix)
  const onPath = { ...process.env, PATH: `${join(prefix, 'bin')}:${process.env['PATH'] ?? ''}` }
  const told = runProgram('kronika', ['--version'], away, onPath).trim()
  if (told !== versionIn(root)) throw new Error(`kronika --version prints ${told}, not ${versionIn(root)}`)
  const health = await timeStep('served a demo world', () => serveDemo(away, onPath))
  say(`/health: ${JSON.stringify(health).slice(0, 200)}`)
}

const folder = mkdtempSync(join(tmpdir(), 'kronika-pack-'))
try {
  await main(folder)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
