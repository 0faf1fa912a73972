import { defineConfig } from 'vitest/config'

// A machine that is busy with other things needs longer than the default.
export default defineConfig({ test: { testTimeout: 120_000, maxWorkers: '100%' } })
