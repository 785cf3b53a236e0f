/** Owns the compiled machine. It is compiled once and shared by all threads. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A module of WebAssembly, for which the types of the runtime have no name. */
export interface CompiledMachine {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

export interface MachineMemory {
  readonly buffer: ArrayBuffer
}

export async function compileMachine(): Promise<CompiledMachine> {
  const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledMachine> }
  }
  return WebAssembly.compile(await readFile(path))
}
