"""Cron expressions in words, for those that people write most."""

DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHORT_DAYS = {name[:3].lower(): number for number, name in enumerate(DAYS[:7])}


def cron_words(text: str) -> str:
    """As in "every Monday at 04:00"; empty for expressions that are not so simple."""
    parts = text.lower().split()
    if len(parts) != 5 or parts[3] != "*":
        return ""
    minute, hour, day, _, weekday = parts
    if minute.startswith("*/") and minute[2:].isdecimal() and (hour, day, weekday) == ("*", "*", "*"):
        return f"every {minute[2:]} minutes"
    if not minute.isdecimal() or not (hour == "*" or hour.isdecimal()):
        return ""
    days = _days(day, weekday)
    if hour == "*":
        return f"every hour at minute {int(minute)}" if days == "every day" else ""
    return f"{days} at {int(hour):02}:{int(minute):02}" if days else ""


def _days(day: str, weekday: str) -> str:
    if (day, weekday) == ("*", "*"):
        return "every day"
    if weekday == "*":
        return f"on day {int(day)} of each month" if day.isdecimal() else ""
    if day != "*":
        return ""
    if weekday in ("1-5", "mon-fri"):
        return "Monday to Friday"
    number = SHORT_DAYS.get(weekday, int(weekday) if weekday.isdecimal() else -1)
    return f"every {DAYS[number]}" if 0 <= number < len(DAYS) else ""
