import { spawn } from 'node:child_process'
import { root } from './project.mjs'

const ownGroup = process.platform !== 'win32'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a command in the project's root with this process's output.
 *
 * A command that outlives its time is killed together with everything it started: a browser or a server
 * that is left behind must not hold up, or outlive, the run.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, minutes?: number }} [options]
 * @returns {Promise<{ code: number, timedOut: boolean }>}
 */
export function run(command, args, { env = {}, minutes = 15 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: ownGroup,
    })
    watch(child)
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      stop(child, 'SIGKILL')
    }, minutes * 60_000)
    /** @param {number} code */
    const settle = (code) => {
      clearTimeout(timer)
      unwatch(child)
      resolve({ code, timedOut })
    }
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      settle(1)
    })
    child.once('exit', (code) => settle(code ?? 1))
  })
}

/**
 * Runs npm by the file that npm itself names, so that no shell is needed on any platform.
 *
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function npm(args, options) {
  const npmFile = process.env.npm_execpath
  return npmFile?.endsWith('.js')
    ? run(process.execPath, [npmFile, ...args], options)
    : run('npm', args, options)
}

/** @param {import('node:child_process').ChildProcess} child */
function watch(child) {
  if (running.size === 0) for (const signal of signals) process.on(signal, passOn)
  running.add(child)
}

/** @param {import('node:child_process').ChildProcess} child */
function unwatch(child) {
  running.delete(child)
  if (running.size === 0) for (const signal of signals) process.off(signal, passOn)
}

/**
 * A group of its own does not hear what the terminal sends to this one.
 *
 * @param {NodeJS.Signals} signal
 */
function passOn(signal) {
  for (const child of running) stop(child, signal)
  process.exit(1)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function stop(child, signal) {
  if (child.pid === undefined) return
  try {
    if (ownGroup) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // It ended by itself in the meantime.
  }
}
