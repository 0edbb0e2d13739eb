/** Calls of glibc that Bun does not offer; without glibc they throw `LibcError`. */
import { dlopen, type FFIFunction, type Library, type Pointer, ptr, read } from 'bun:ffi'
import { LIBC_TEXTS } from './failure-texts.ts'

export class LibcError extends Error {
  override name = 'LibcError'
}

const SYMBOLS = {
  __errno_location: { args: [], returns: 'ptr' },
  getrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
  setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
  prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
  syscall: { args: ['i64', 'u64', 'u64', 'ptr'], returns: 'i64' },
  flock: { args: ['i32', 'i32'], returns: 'i32' },
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  close: { args: ['i32'], returns: 'i32' },
} as const

/** Loads the functions with the first call. @throws LibcError where they cannot be loaded */
function lazily<Symbols extends Record<string, FFIFunction>>(symbols: Symbols) {
  let loaded: Library<Symbols>['symbols'] | undefined
  return () => {
    try {
      loaded ??= dlopen('libc.so.6', symbols).symbols
      return loaded
    } catch (cause) {
      throw new LibcError(LIBC_TEXTS.libc_without({ functions: Object.keys(symbols) }), { cause })
    }
  }
}

const libc = lazily(SYMBOLS)
/** Apart from the others: the C library has it since glibc 2.30. */
const entries = lazily({ getdents64: { args: ['i32', 'ptr', 'u64'], returns: 'i64' } } as const)

const ERRORS: Record<number, string> = { 1: 'EPERM', 11: 'EAGAIN', 13: 'EACCES', 22: 'EINVAL', 38: 'ENOSYS' }

/** @throws LibcError that names call and error, when the result is -1 */
function demand(call: string, result: number | bigint): void {
  if (Number(result) !== -1) return
  const errno = read.i32(libc().__errno_location() as Pointer)
  throw new LibcError(`${call}: ${ERRORS[errno] ?? `error ${errno}`}`)
}

/** Numbers of resources, getrlimit(2). */
export const RESOURCE = { fileSize: 1, core: 4, files: 7 } as const

/** Lowers soft and hard limit of this process. @throws LibcError */
export function lowerLimit(resource: number, limit: number): void {
  const known = new BigUint64Array(2)
  demand('getrlimit', libc().getrlimit(resource, ptr(known)))
  const [soft = 0n, hard = 0n] = known
  const most = BigInt(limit)
  const lowered = new BigUint64Array([soft < most ? soft : most, hard < most ? hard : most])
  demand('setrlimit', libc().setrlimit(resource, ptr(lowered)))
}

/** Raises the soft limit of this process to its hard one. Returns it. @throws LibcError */
export function raiseLimit(resource: number): number {
  const known = new BigUint64Array(2)
  demand('getrlimit', libc().getrlimit(resource, ptr(known)))
  const [, hard = 0n] = known
  demand('setrlimit', libc().setrlimit(resource, ptr(new BigUint64Array([hard, hard]))))
  return Number(hard)
}

/** Operations of prctl(2). */
const PR = { setDeathSignal: 1, getDumpable: 3, setDumpable: 4, setNoNewPrivileges: 38, getNoNewPrivileges: 39 } as const
const SIGKILL = 9

/** Forbids core dumps, and reading of its memory by the same user. @throws LibcError */
export function forbidCoreDumps(): void {
  lowerLimit(RESOURCE.core, 0)
  demand('prctl(PR_SET_DUMPABLE)', libc().prctl(PR.setDumpable, 0, 0, 0, 0))
}

export function mayDumpCore(): boolean {
  return libc().prctl(PR.getDumpable, 0, 0, 0, 0) !== 0
}

/** Forbids setuid programs to gain rights: a filter requires it. @throws LibcError */
export function forbidNewPrivileges(): void {
  demand('prctl(PR_SET_NO_NEW_PRIVS)', libc().prctl(PR.setNoNewPrivileges, 1, 0, 0, 0))
}

export function mayGainPrivileges(): boolean {
  return libc().prctl(PR.getNoNewPrivileges, 0, 0, 0, 0) !== 1
}

/** The kernel ends this process when the one that started it ends. @throws LibcError */
export function endWithParent(): void {
  demand('prctl(PR_SET_PDEATHSIG)', libc().prctl(PR.setDeathSignal, SIGKILL, 0, 0, 0))
}

const AF_INET = 2
const SOCK_STREAM = 1

/** Whether the process can create a network socket. */
export function mayOpenSocket(): boolean {
  const descriptor = libc().socket(AF_INET, SOCK_STREAM, 0)
  if (descriptor < 0) return false
  libc().close(descriptor)
  return true
}

const LOCK_EX = 2
const LOCK_NB = 4

/** Locks until the descriptor is closed; false if locked already. @throws LibcError */
export function lockDescriptor(descriptor: number): boolean {
  return libc().flock(descriptor, LOCK_EX | LOCK_NB) === 0
}

/** Numbers that differ between processors. */
interface Machine {
  auditArchitecture: number
  seccomp: number
  denied: Record<string, number>
}

/**
 * include/uapi/linux/audit.h; arch/x86/entry/syscalls/syscall_64.tbl;
 * include/uapi/asm-generic/unistd.h
 */
const MACHINES: Partial<Record<string, Machine>> = {
  x64: {
    auditArchitecture: 0xc000003e,
    seccomp: 317,
    denied: {
      socket: 41,
      execve: 59,
      ptrace: 101,
      mount: 165,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      bpf: 321,
      execveat: 322,
      userfaultfd: 323,
      io_uring_setup: 425,
      pidfd_getfd: 438,
    },
  },
  arm64: {
    auditArchitecture: 0xc00000b7,
    seccomp: 277,
    denied: {
      mount: 40,
      unshare: 97,
      ptrace: 117,
      socket: 198,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      execve: 221,
      perf_event_open: 241,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      bpf: 280,
      execveat: 281,
      userfaultfd: 282,
      io_uring_setup: 425,
      pidfd_getfd: 438,
    },
  },
}

/** Classic BPF, include/uapi/linux/filter.h: load a word, jump when equal or not less, return. */
const BPF = { load: 0x20, jumpIfEqual: 0x15, jumpIfNotLess: 0x35, return: 0x06 } as const
/** Offsets in struct seccomp_data. */
const DATA = { number: 0, architecture: 4 } as const
/** include/uapi/linux/seccomp.h; EPERM for a call that is denied. */
const RETURN = { kill: 0x80000000, deny: 0x00050001, allow: 0x7fff0000 } as const
/** Calls of the x32 ABI have this bit: they are the same calls under other numbers. */
const X32_BIT = 0x40000000
const SET_MODE_FILTER = 1
const ALL_THREADS = 1

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number]

function filterFor({ auditArchitecture, denied }: Machine): Instruction[] {
  const numbers = Object.values(denied)
  const checks = numbers.map((number, i): Instruction => [BPF.jumpIfEqual, numbers.length - i, 0, number])
  return [
    [BPF.load, 0, 0, DATA.architecture],
    [BPF.jumpIfEqual, 1, 0, auditArchitecture],
    [BPF.return, 0, 0, RETURN.kill],
    [BPF.load, 0, 0, DATA.number],
    [BPF.jumpIfNotLess, numbers.length + 1, 0, X32_BIT],
    ...checks,
    [BPF.return, 0, 0, RETURN.allow],
    [BPF.return, 0, 0, RETURN.deny],
  ]
}

/**
 * Makes the kernel answer EPERM when a thread of this process creates a socket, starts a program or
 * accesses other processes. Open descriptors stay usable. Call `forbidNewPrivileges` first.
 * seccomp(2). @throws LibcError
 */
export function filterSystemCalls(): void {
  const machine = MACHINES[process.arch]
  if (!machine) throw new LibcError(LIBC_TEXTS.no_call_filter({ machine: process.arch }))
  const instructions = filterFor(machine)
  const filter = Buffer.alloc(instructions.length * 8)
  for (const [i, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    filter.writeUInt16LE(code, i * 8)
    filter.writeUInt8(ifTrue, i * 8 + 2)
    filter.writeUInt8(ifFalse, i * 8 + 3)
    filter.writeUInt32LE(value, i * 8 + 4)
  }
  const program = Buffer.alloc(16)
  program.writeUInt16LE(instructions.length, 0)
  program.writeBigUInt64LE(BigInt(ptr(filter)), 8)
  const result = libc().syscall(machine.seccomp, SET_MODE_FILTER, ALL_THREADS, ptr(program))
  demand('seccomp', result)
  if (Number(result) !== 0) throw new LibcError(LIBC_TEXTS.thread_filtered({ thread: Number(result) }))
}

/** Offsets of members of struct linux_dirent64, getdents64(2). */
const ENTRY = { length: 16, name: 19 } as const

/** The next names that fit into `buffer`; empty at the end. @throws LibcError */
export function nextNames(descriptor: number, buffer: Buffer): string[] {
  const filled = Number(entries().getdents64(descriptor, ptr(buffer), buffer.length))
  demand('getdents64', filled)
  const names: string[] = []
  for (let at = 0; at < filled; at += buffer.readUInt16LE(at + ENTRY.length)) {
    const start = at + ENTRY.name
    names.push(buffer.toString('utf8', start, buffer.indexOf(0, start)))
  }
  return names.filter(name => name !== '.' && name !== '..')
}
