"""Monthly reports. Long on purpose: more than the smallest tier reads."""
import csv
import io


def orders_by_month(rows):
    """Sums `amount` of orders for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["amount"] or 0)
    return dict(sorted(totals.items()))


def orders_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "amount"])
    for month, total in orders_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def returns_by_month(rows):
    """Sums `amount` of returns for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["amount"] or 0)
    return dict(sorted(totals.items()))


def returns_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "amount"])
    for month, total in returns_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def visits_by_month(rows):
    """Sums `pages` of visits for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["pages"] or 0)
    return dict(sorted(totals.items()))


def visits_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "pages"])
    for month, total in visits_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def signups_by_month(rows):
    """Sums `channel` of signups for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["channel"] or 0)
    return dict(sorted(totals.items()))


def signups_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "channel"])
    for month, total in signups_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def refunds_by_month(rows):
    """Sums `amount` of refunds for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["amount"] or 0)
    return dict(sorted(totals.items()))


def refunds_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "amount"])
    for month, total in refunds_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def parcels_by_month(rows):
    """Sums `weight` of parcels for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["weight"] or 0)
    return dict(sorted(totals.items()))


def parcels_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "weight"])
    for month, total in parcels_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def reviews_by_month(rows):
    """Sums `stars` of reviews for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["stars"] or 0)
    return dict(sorted(totals.items()))


def reviews_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "stars"])
    for month, total in reviews_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def coupons_by_month(rows):
    """Sums `amount` of coupons for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["amount"] or 0)
    return dict(sorted(totals.items()))


def coupons_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "amount"])
    for month, total in coupons_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def calls_by_month(rows):
    """Sums `minutes` of calls for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["minutes"] or 0)
    return dict(sorted(totals.items()))


def calls_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "minutes"])
    for month, total in calls_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()


def mails_by_month(rows):
    """Sums `size` of mails for each month."""
    totals = {}
    for row in rows:
        month = row["date"][:7]
        totals[month] = totals.get(month, 0) + float(row["size"] or 0)
    return dict(sorted(totals.items()))


def mails_as_csv(rows):
    """The same as text, one line for each month."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["month", "size"])
    for month, total in mails_by_month(rows).items():
        writer.writerow([month, f"{total:.2f}"])
    return out.getvalue()

