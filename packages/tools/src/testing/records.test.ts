import { createMemoryRecords } from './records.ts'
import { recordsContract } from './records-contract.ts'

recordsContract('memory', (work) => work(createMemoryRecords()))
