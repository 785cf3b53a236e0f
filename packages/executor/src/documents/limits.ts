/** Owns what opening one file may take. */
import { largestDocument } from '@countersign/tools'

/** A permit binds these numbers. */
export const documentLimits = {
  maxInputBytes: largestDocument,
  timeoutMs: 30_000,
  maxOutputBytes: 36_000_000,
  /** Of what it says beside the files that it makes: 500,000 characters in any alphabet. */
  maxFactsBytes: 2_000_000,
  maxFactsDepth: 8,
  maxFiles: 100,
  /** Of each process. Half a gigabyte of it is address space that V8 takes at its start. */
  maxMemoryBytes: 1024 ** 3,
  maxHeapMegabytes: 384,
  maxProcesses: 32,
  /** Programs at the same time; the others wait. */
  atOnce: 2,
} as const
