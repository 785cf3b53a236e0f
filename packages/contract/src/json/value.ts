/** The JSON values that cross every boundary. Holds no behaviour. */

export type JsonPrimitive = string | number | boolean | null

export interface JsonObject {
  [key: string]: JsonValue
}

export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject
