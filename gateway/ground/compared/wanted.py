"""What more is better of by the name of a column, and what less is better of: costs, errors, waits."""

import re

COSTS = re.compile(
    r"cost|spen[dt]|expen|price|loss|debt|fee|refund|dead\b|obsolete|overdue|arrears|waste|write-?off",
    re.IGNORECASE,
)
PRAISED = re.compile(
    r"\b(?:csat|nps|ctr|click-?through|(?:win|click|response|answer|approval|hit|collection)\srate|attainment|occupancy|on-time|growth|open\srate|satisfaction|ratings?|points|pts|wins?|won|margin|conversion|retention|uptime|profit|goals?|runs?|sales|sold|copies|viewers|audience"
    r"|attendances?|passengers|visitors|users|orders|sessions|renewals?|completions?|pass\srate|fill\srate|accuracy|coverage"
    r"|engagement|recovery|utili[sz]ation|availability|survival|success|yield)\b",
    re.IGNORECASE,
)
# Those who come or stay, and no others ("Cancelled members").
WELCOME = re.compile(
    r"(?:(?:new|active|paying|registered|total|net|gross|first-time|returning)\s)*(?:members?|subscribers?|customers?|clients?"
    r"|sign-?ups?|registrations?|enrol(?:l?ments?|led)|bookings|reservations|donors|donations|leads|downloads|hires"
    r"|volunteers|followers|installs)",
    re.IGNORECASE,
)
# "Goals conceded": more of it is no better.
CONCEDED = re.compile(r"\b(?:conceded|against|allowed|lost)\b", re.IGNORECASE)
UNWANTED = re.compile(
    rf"{COSTS.pattern}|churn|attrition|returned|\breturn\s(?:rate|share)|\breturns\b|complain|error|fault|defect|wait"
    r"|delay|\blate\b|crash|waste|injur|accident|bounce|unsubscri|cancel|absen|downtime|outage|drop-?out|default"
    r"|\bnpl\b|non-perform|reject|fail|leavers|overdue|backlog|scrap|shrinkage|reopen|escalat|no-?show|death"
    r"|mortality|readmission|response\stime|first\s(?:response|reply)|handling\stime|\bcac\b|\bcpl\b|\bcpa\b|\bcpc\b"
    r"|payback|damage|breach|vacan|turnover\srate|incident|emission|\bco2\b|length\sof\sstay|abandon|unseen|missed",
    re.IGNORECASE,
)
