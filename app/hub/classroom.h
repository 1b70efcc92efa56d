// Who may come in, and what each is given: a folder, and an engine in its sandbox.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hub/address.h"
#include "hub/class_desk.h"
#include "hub/class_file.h"
#include "hub/disk_use.h"
#include "hub/door.h"
#include "hub/heat.h"
#include "hub/student_wall.h"
#include "hub/token_file.h"
#include "service/process.h"

namespace lanewise {

struct HubOptions {
    ListenAddress address;
    std::filesystem::path token_file, class_file;  // "": none
    std::filesystem::path page, folder;
    std::vector<std::string> engine_prefix;     // words before the engine's command
    std::vector<std::string> engine_arguments;  // behind "serve"
    std::vector<std::string> origins;
    bool behind_proxy = false;  // the proxy says who asks, in X-Forwarded-For
};

// A student's place while an engine runs for it.
struct Seat {
    std::string name;
    std::filesystem::path folder;
    bool is_kept = true;  // the folder, afterwards
};

class Classroom {
  public:
    // Reads the files and tries the sandbox. Throws Error(bad_input): what in them cannot be used, or
    // why the address is not served: one that others reach wants tokens and the sandbox.
    explicit Classroom(HubOptions options);

    // Reads them once more; who is there stays. Throws likewise, and then nothing changes.
    void read_again();

    const HubOptions& options() const { return options_; }
    const ClassFile& class_file() const { return class_; }
    const std::filesystem::path& content() const { return content_; }
    bool has_tokens() const { return !options_.token_file.empty(); }
    bool has_wall() const { return no_wall_.empty(); }
    const std::string& why_no_wall() const { return no_wall_; }
    DoorRules door() const { return {has_tokens(), options_.origins}; }

    struct Check {
        const TokenHolder* holder = nullptr;  // whose token it is, until the next read_again()
        double hold_s = 0;                    // before "no" is said
        double refused_s = 0;                 // nothing is taken from that address for so long
    };
    // Without tokens everybody is the one student of this machine.
    Check check(const std::string& token, const std::string& address, double now_s);

    // As whom it speaks to the class, with this seat or with none.
    Speaker speaker_for(const TokenHolder& holder, const Seat* seat);

    // A place for one more engine; null where there is none, and why.
    std::unique_ptr<Seat> take_seat(const TokenHolder& holder, double now_s, std::string& why);
    // Its engine is ending: another may begin. It has ended: the place is free.
    void leave(const Seat& seat);
    void give_back(const Seat& seat);
    // Its engine had to be ended: no other for a while.
    void let_rest(const Seat& seat, double now_s);
    // Its engine is to start in so many seconds; and starts now.
    double start_wait_s(const Seat& seat, double now_s) const;
    void note_start(const Seat& seat, double now_s);
    // Its engine has used so much more of the processors. How nice its processes are to be; 0 where there are no
    // others, who would come first.
    int note_work(const Seat& seat, double cpu_s, double now_s);
    // What its folder holds now. Why its engine must end; "" where it may go on.
    std::string note_disk(const std::string& name, const DiskUse& use, double now_s);

    // The words that start the engine of a place.
    std::vector<std::string> engine_command(const Seat& seat) const;

  private:
    StudentWall wall_for(const std::filesystem::path& student) const;
    void lock_folder();
    void refuse_open_address() const;

    struct Account {
        int64_t engines = 0, ending = 0;
        double rest_until_s = 0;
        Heat heat;
        DiskUse disk;
        double disk_seen_s = -1;  // -1: never
    };
    bool has_room_on_disk(const Seat& seat, Account& account, double now_s, std::string& why);
    HubOptions options_;
    Descriptor lock_;
    ClassFile class_;
    TokenFile tokens_;
    WrongTokens wrong_;
    std::string no_wall_;
    std::filesystem::path content_, queue_;
    std::vector<std::string> environment_;
    std::map<std::string, Account> accounts_;
    int64_t seats_taken_ = 0, guests_ = 0;
};

}  // namespace lanewise
