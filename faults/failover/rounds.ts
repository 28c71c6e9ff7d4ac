/** How often each fault is repeated: `ROUNDS=3 npm run faults:failover`. */
export const rounds = Number(process.env.ROUNDS ?? '20')
