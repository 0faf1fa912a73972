export function listMissingEngines(): string[]
