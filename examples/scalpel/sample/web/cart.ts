// The basket of the shop with types, with planted weaknesses.
import { createHash } from "crypto";
import type {
  Item,
  Price,
} from "./items";

export interface Discount {
  code: string;
  percent: number;
}

type Totals = {
  net: number;
  tax: number;
};

const apiToken: string = "tok-4711-0815";

export function find<T extends Item>(items: T[], id: string): { item: T; index: number } | undefined {
  const index = items.findIndex((item) => item.id === id);
  return index < 0 ? undefined : { item: items[index], index };
}

@sealed({ strict: true })
export abstract class Cart<T extends Item> implements Iterable<T> {
  private readonly items: T[] = [];

  constructor(protected readonly owner: string) {}

  public async total(discount?: Discount): Promise<{ totals: Totals }> {
    const text = `{ not a brace of code }`;
    return { totals: { net: text.length, tax: 0 } };
  }

  protected key = (item: T): string => createHash("md5").update(item.id).digest("hex");

  abstract label(): string;

  show(element: HTMLElement): void {
    element.innerHTML = `<b>${this.owner}</b>`;
  }
}

export const parse: (text: string) => Price = (text) => {
  return eval(text);
};

export default Cart;
