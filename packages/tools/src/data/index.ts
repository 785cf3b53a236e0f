import type { ToolDefinition } from '../definition.ts'
import { addCustomColumn } from './add-custom-column.ts'
import { addCustomRecord } from './add-custom-record.ts'
import { batchAddCustomRecords } from './batch-add-custom-records.ts'
import { createCustomTable } from './create-custom-table.ts'
import { deleteCustomRecord } from './delete-custom-record.ts'
import { deleteCustomTable } from './delete-custom-table.ts'
import { describeCustomTable } from './describe-custom-table.ts'
import { getCustomRecord } from './get-custom-record.ts'
import { listCustomRecords } from './list-custom-records.ts'
import { listCustomTables } from './list-custom-tables.ts'
import { searchCustomRecords } from './search-custom-records.ts'
import { updateCustomRecord } from './update-custom-record.ts'

export const dataTools: readonly ToolDefinition[] = [
  listCustomTables,
  describeCustomTable,
  createCustomTable,
  addCustomColumn,
  deleteCustomTable,
  addCustomRecord,
  batchAddCustomRecords,
  listCustomRecords,
  searchCustomRecords,
  getCustomRecord,
  updateCustomRecord,
  deleteCustomRecord,
]
