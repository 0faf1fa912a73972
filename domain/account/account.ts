export interface Account {
  readonly uid: string
  readonly email: string | null
  readonly phone: string | null
  readonly emailVerified: boolean
  readonly usesPassword: boolean
}
