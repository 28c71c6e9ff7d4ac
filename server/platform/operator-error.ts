/** Why a start or a command is refused. The operator reads the message alone, without a stack. */
export class OperatorError extends Error {
  override name = this.constructor.name
}
